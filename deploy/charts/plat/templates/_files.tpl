{{/* Where the secrets of a part are mounted: a file for each key. */}}
{{- define "plat.secretsFolder" -}}
/etc/plat/secrets/{{ .part }}
{{- end -}}

{{/* The variables that name the files of a part's secrets. The service itself reads CLUSTER_KUBECONFIG as a path. */}}
{{- define "plat.secretVariables" -}}
{{- $folder := include "plat.secretsFolder" . -}}
{{- range .keys }}
- name: {{ . }}{{ if ne . "CLUSTER_KUBECONFIG" }}_FILE{{ end }}
  value: {{ $folder }}/{{ . }}
{{- end }}
{{- end -}}

{{/*
The volume of a part's secrets: the keys that are listed, and no other. The owner of the chart's own database has the
password that the operator has made.
*/}}
{{- define "plat.secretVolume" -}}
{{- $generated := and (eq .part "db") .root.Values.postgresql.enabled -}}
{{- $keys := ternary (without .keys "DATABASE_URL") .keys $generated -}}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- if $generated }}
      - secret:
          name: {{ include "plat.postgresql" .root }}-app
          items:
            - key: uri
              path: DATABASE_URL
      {{- end }}
      {{- with $keys }}
      - secret:
          name: {{ $.secret | default (printf "plat-%s" $.part) | quote }}
          items:
            {{- range . }}
            - key: {{ . }}
              path: {{ . }}
            {{- end }}
      {{- end }}
{{- end -}}

{{/* The bundles of authorities that a part reads: a YAML list of their volumes' names and sources, variables and keys. */}}
{{- define "plat.authorities" -}}
{{- $all := .root.Values.certificateAuthorities -}}
{{- if .root.Values.postgresql.enabled }}
- name: database-authorities
  variable: DATABASE_CA_FILE
  key: ca.crt
  source:
    secret:
      secretName: {{ include "plat.postgresql" .root }}-ca
      items:
        - key: ca.crt
          path: ca.crt
{{- else if $all.database.configMap }}
{{ include "plat.authority" (dict "name" "database-authorities" "variable" "DATABASE_CA_FILE" "of" $all.database) }}
{{- end }}
{{- if and (eq .part "reviews") $all.repositories.configMap }}
{{ include "plat.authority" (dict "name" "repository-authorities" "variable" "REPOSITORY_CA_FILE" "of" $all.repositories) }}
{{- end }}
{{- if and (ne .part "db") $all.issuers.configMap }}
{{ include "plat.authority" (dict "name" "issuer-authorities" "variable" "NODE_EXTRA_CA_CERTS" "of" $all.issuers) }}
{{- end }}
{{- end -}}

{{- define "plat.authority" -}}
- name: {{ .name }}
  variable: {{ .variable }}
  key: {{ .of.key | quote }}
  source:
    configMap:
      name: {{ .of.configMap | quote }}
      items:
        - key: {{ .of.key | quote }}
          path: {{ .of.key | quote }}
{{- end -}}

{{/* What a container has of a part's files: variables, then mounts. Takes root, part and keys. */}}
{{- define "plat.fileVariables" -}}
{{- include "plat.secretVariables" . | trim }}
{{- range include "plat.authorities" . | fromYamlArray }}
- name: {{ .variable }}
  value: /etc/plat/{{ .name }}/{{ .key }}
{{- end }}
{{- end -}}

{{- define "plat.fileMounts" -}}
- name: secrets
  mountPath: {{ include "plat.secretsFolder" . }}
  readOnly: true
{{- range include "plat.authorities" . | fromYamlArray }}
- name: {{ .name }}
  mountPath: /etc/plat/{{ .name }}
  readOnly: true
{{- end }}
- name: tmp
  mountPath: /tmp
{{- end -}}

{{/* Takes the name of the Secret besides. */}}
{{- define "plat.fileVolumes" -}}
{{ include "plat.secretVolume" . }}
{{- range include "plat.authorities" . | fromYamlArray }}
- name: {{ .name }}
  {{- toYaml .source | nindent 2 }}
{{- end }}
- name: tmp
  emptyDir: {}
{{- end -}}
