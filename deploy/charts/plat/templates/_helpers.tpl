{{/* The services, in the order of the route table. */}}
{{- define "plat.services" -}}
reviews builds releases audit platform
{{- end -}}

{{/* What selects the pods of a part. Takes (dict "root" $ "part" "reviews"). A selector cannot change, so no version is in it. */}}
{{- define "plat.selector" -}}
app.kubernetes.io/name: plat
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "plat.labels" -}}
{{ include "plat.selector" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
{{- end -}}

{{/* Name, namespace and labels of an object. Takes root, part, and name if it is not the part's. */}}
{{- define "plat.metadata" -}}
name: {{ .root.Release.Name }}-{{ .name | default .part }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "plat.labels" . | nindent 2 }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* The image of a service, or of the database job. */}}
{{- define "plat.image" -}}
{{- $image := .root.Values.image -}}
{{- $name := printf "%s/plat-%s" $image.registry .part -}}
{{- with get $image.digests .part -}}
{{ $name }}@{{ . }}
{{- else -}}
{{ $name }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* Name of the CloudNativePG cluster. */}}
{{- define "plat.postgresql" -}}
{{ .Release.Name }}-postgresql
{{- end -}}

{{/* As an environment variable's value: YAML's numbers must not get an exponent. */}}
{{- define "plat.text" -}}
{{- if kindIs "float64" . }}{{ int64 . }}{{ else }}{{ . }}{{ end -}}
{{- end -}}

{{/* With that of the pod it meets the pod security standard `restricted`. */}}
{{- define "plat.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop:
    - ALL
{{- end -}}

{{/* What all pods have: security, placement, and the sign-in at the registry. */}}
{{- define "plat.pod" -}}
# The variables of Services would be set next to those of plat.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- with .Values.pods.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with .Values.pods.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.pods.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
