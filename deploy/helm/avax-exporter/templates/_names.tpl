{{/* The name of all objects. 52 characters: Kubernetes adds up to 11 to the name of a StatefulSet for a label. */}}
{{- define "avax-exporter.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" (.Release.Name | trunc 38 | trimSuffix "-") .Chart.Name -}}
{{- end -}}
{{- end -}}

{{- define "avax-exporter.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "avax-exporter.labels" -}}
{{ include "avax-exporter.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") }}
{{- end -}}

{{/* The head of an object, without its kind. */}}
{{- define "avax-exporter.metadata" -}}
name: {{ include "avax-exporter.fullname" . }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "avax-exporter.labels" . | nindent 2 }}
{{- end -}}

{{- define "avax-exporter.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "avax-exporter.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- define "avax-exporter.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{- printf "%s@%s" .repository .digest -}}
{{- else -}}
{{- printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}
{{- end -}}
