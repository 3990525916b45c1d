{{/* The pod of a database job. Takes root, part and the steps, each a container, one after the other. */}}
{{- define "plat.databasePod" -}}
{{- $root := .root -}}
{{- $part := .part -}}
{{- $own := $root.Values.database -}}
{{- $steps := .steps -}}
{{- if not (without $part.keys "DATABASE_URL") }}{{ $steps = without $steps "logins" }}{{ end -}}
metadata:
  labels:
    {{- include "plat.labels" $part | nindent 4 }}
spec:
  # A pod that failed stays, with its log.
  restartPolicy: Never
  automountServiceAccountToken: false
  {{- include "plat.pod" $root | nindent 2 }}
  {{- with initial $steps }}
  initContainers:
    {{- range . }}
    {{- include "plat.databaseContainer" (dict "root" $root "part" $part "step" .) | nindent 4 }}
    {{- end }}
  {{- end }}
  containers:
    {{- include "plat.databaseContainer" (dict "root" $root "part" $part "step" (last $steps)) | nindent 4 }}
  volumes:
    {{- include "plat.fileVolumes" $part | nindent 4 }}
    {{- with $own.directory }}
    {{- if .configMap }}
    - name: directory
      configMap:
        name: {{ .configMap | quote }}
        items:
          - key: {{ .key | quote }}
            path: {{ .key | quote }}
    {{- end }}
    {{- end }}
{{- end -}}

{{- define "plat.databaseContainer" -}}
{{- $own := .root.Values.database -}}
{{- $directory := and (eq .step "migrate") $own.directory.configMap -}}
- name: {{ .step }}
  image: {{ include "plat.image" .part | quote }}
  args:
    - {{ .step }}
    {{- if $directory }}
    - --directory
    - /etc/plat/directory/{{ $own.directory.key }}
    {{- end }}
  env:
    {{- include "plat.fileVariables" .part | nindent 4 }}
  resources:
    {{- toYaml $own.resources | nindent 4 }}
  securityContext:
    {{- include "plat.containerSecurity" .root | nindent 4 }}
  volumeMounts:
    {{- include "plat.fileMounts" .part | nindent 4 }}
    {{- if $directory }}
    - name: directory
      mountPath: /etc/plat/directory
      readOnly: true
    {{- end }}
{{- end -}}
