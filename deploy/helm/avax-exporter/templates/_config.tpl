{{/* The exporter's configuration as text. Fails for values that would start an exporter without nodes. */}}
{{- define "avax-exporter.config" -}}
{{- if and .Values.configFile .Values.config -}}
{{- fail "config and configFile are both set: set one of them" -}}
{{- else if .Values.configFile -}}
{{- .Values.configFile -}}
{{- else -}}
{{- if not (or .Values.config.nodes .Values.config.node_files) -}}
{{- fail "config.nodes is empty: set the nodes in your values (config: { nodes: [{ name: my-validator, url: \"http://avalanchego.default.svc:9650\" }] }), or a file with --set-file configFile=config.yaml" -}}
{{- end -}}
{{- if gt (int .Values.shards) 1 -}}
{{- range .Values.config.nodes -}}
{{- if not .network -}}
{{- fail (printf "config.nodes: %s has no network: set it for every node when shards is more than 1, for example network: mainnet" .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml .Values.config -}}
{{- end -}}
{{- end -}}

{{/* The files of the release's own Secret. */}}
{{- define "avax-exporter.secretFiles" -}}
{{- $files := dict -}}
{{- range $name, $text := .Values.secrets.create -}}
{{- if has $name (list "config.yaml" "web.yml") -}}
{{- fail (printf "secrets.create: %s is a file of the chart: choose another name" $name) -}}
{{- end -}}
{{- $_ := set $files $name $text -}}
{{- end -}}
{{- with .Values.web.config -}}
{{- $_ := set $files "web.yml" (toYaml .) -}}
{{- end -}}
{{- if $files -}}
{{- toYaml $files -}}
{{- end -}}
{{- end -}}
