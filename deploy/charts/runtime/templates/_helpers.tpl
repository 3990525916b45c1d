{{/* Name of the Deployment, the ServiceAccount and the release. */}}
{{- define "runtime.name" -}}
{{ .Values.tenant }}-runtime
{{- end -}}

{{/* What selects the pod. A Deployment's selector cannot change, so no version is in it. */}}
{{- define "runtime.selector" -}}
app.kubernetes.io/name: plat-runtime
app.kubernetes.io/instance: {{ include "runtime.name" . }}
{{- end -}}

{{- define "runtime.labels" -}}
{{ include "runtime.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end -}}

{{- define "runtime.mcpPort" -}}
{{ int .Values.variables.PLAT_MCP_PORT }}
{{- end -}}

{{- define "runtime.sshdPort" -}}
{{ int .Values.variables.PLAT_SSHD_PORT }}
{{- end -}}
