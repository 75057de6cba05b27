{{/* The name of the claim of the state file. */}}
{{- define "avax-exporter.stateClaim" -}}
{{- .Values.storage.existingClaim | default (include "avax-exporter.fullname" .) -}}
{{- end -}}

{{/* What listens on the port is alive; with TLS, or a login that does not exclude the path, the port alone is checked. */}}
{{- define "avax-exporter.probe" -}}
{{- $web := .root.Values.web.config | default dict -}}
{{- if or .probe.httpGet .probe.tcpSocket .probe.exec -}}
{{- else if or $web.tls_server_config (and $web (not (has .path ($web.auth_excluded_paths | default list)))) -}}
tcpSocket: { port: metrics }
{{- else -}}
httpGet: { path: {{ .path }}, port: metrics }
{{- end }}
{{ toYaml .probe }}
{{- end -}}

{{/* The pod template of the Deployment and of the StatefulSet. */}}
{{- define "avax-exporter.pod" -}}
{{- $sharded := gt (int .Values.shards) 1 -}}
{{- $secretFiles := include "avax-exporter.secretFiles" . -}}
metadata:
  labels:
    {{- mergeOverwrite (deepCopy .Values.podLabels) (include "avax-exporter.selectorLabels" . | fromYaml) | toYaml | nindent 4 }}
  annotations:
    # A change of the configuration or of its files restarts the pods.
    checksum/config: {{ include "avax-exporter.config" . | sha256sum }}
    {{- if $secretFiles }}
    checksum/secret: {{ $secretFiles | sha256sum }}
    {{- end }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "avax-exporter.serviceAccountName" . }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with .Values.podSecurityContext }}
  securityContext:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .Values.hostNetwork }}
  hostNetwork: true
  dnsPolicy: ClusterFirstWithHostNet
  {{- end }}
  {{- with .Values.hostAliases }}
  hostAliases:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: avax-exporter
      image: {{ include "avax-exporter.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args:
        - --config.file=/etc/avax-exporter/config.yaml
        # An existing Secret is not in the annotations: its files are followed.
        - --config.enable-auto-reload
        {{- if $sharded }}
        # The number at the end of the pod's name.
        - --shard.index=auto
        - --shard.total={{ int .Values.shards }}
        {{- end }}
        - --storage.path=/var/lib/avax-exporter
        {{- with .Values.web.externalUrl }}
        - {{ printf "--web.external-url=%s" . | quote }}
        {{- end }}
        {{- if .Values.web.config }}
        - --web.config.file=/etc/avax-exporter/web.yml
        {{- end }}
        {{- range .Values.extraArgs }}
        - {{ . | quote }}
        {{- end }}
      {{- with .Values.env }}
      env:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.envFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        - { name: metrics, containerPort: 9750 }
      {{- with .Values.securityContext }}
      securityContext:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.livenessProbe }}
      livenessProbe:
        {{- include "avax-exporter.probe" (dict "root" $ "path" "/-/healthy" "probe" .) | nindent 8 }}
      {{- end }}
      {{- with .Values.readinessProbe }}
      readinessProbe:
        {{- include "avax-exporter.probe" (dict "root" $ "path" "/-/ready" "probe" .) | nindent 8 }}
      {{- end }}
      {{- with .Values.resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - { name: config, mountPath: /etc/avax-exporter, readOnly: true }
        - { name: state, mountPath: /var/lib/avax-exporter }
        {{- with .Values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .Values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- $own := dict "labelSelector" (dict "matchLabels" (include "avax-exporter.selectorLabels" . | fromYaml)) }}
    {{- range .Values.topologySpreadConstraints }}
    -
      {{- (hasKey . "labelSelector" | ternary . (merge (dict) . $own)) | toYaml | nindent 6 }}
    {{- end }}
  {{- end }}
  volumes:
    # One folder, so that the configuration names its files without a path. Later sources win: the configuration is the last.
    - name: config
      projected:
        defaultMode: 0440
        sources:
          {{- range .Values.secrets.existing }}
          - secret: { name: {{ . | quote }} }
          {{- end }}
          {{- if $secretFiles }}
          - secret: { name: {{ include "avax-exporter.fullname" . }} }
          {{- end }}
          - configMap: { name: {{ include "avax-exporter.fullname" . }} }
    {{- if not .Values.storage.enabled }}
    - name: state
      emptyDir: { sizeLimit: {{ .Values.storage.size | quote }} }
    {{- else if or (not $sharded) .Values.storage.existingClaim }}
    - name: state
      persistentVolumeClaim: { claimName: {{ include "avax-exporter.stateClaim" . }} }
    {{- end }}
    {{- with .Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{/* The claim of the state file: of the Deployment, or one for each shard. */}}
{{- define "avax-exporter.claimSpec" -}}
accessModes: [ReadWriteOnce]
{{- with .Values.storage.storageClass }}
storageClassName: {{ . | quote }}
{{- end }}
resources: { requests: { storage: {{ .Values.storage.size | quote }} } }
{{- end -}}
