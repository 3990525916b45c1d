{{/* The end of a rule of an HTTPRoute: where its requests go. Takes root, service and table. */}}
{{- define "plat.backend" -}}
backendRefs:
  - name: {{ .root.Release.Name }}-{{ .service }}
    port: 80
# The longest answer, that to a report of a merge, is there before.
timeouts:
  request: {{ .table.timeoutSeconds }}s
{{- end -}}

{{/* An Ingress of paths of one kind, "exact" or "patterns". The exact ones have the rest of the API besides. */}}
{{- define "plat.ingress" -}}
{{- $root := .root -}}
{{- $kind := .kind -}}
{{- $own := $root.Values.routes.ingress }}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  {{- include "plat.metadata" (dict "root" $root "part" "routes" "name" .name) | nindent 2 }}
  {{- with merge (dict) .annotations $own.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with $own.className }}
  ingressClassName: {{ . | quote }}
  {{- end }}
  {{- with $own.tlsSecret }}
  tls:
    - hosts:
        - {{ $root.Values.routes.hostname | quote }}
      secretName: {{ . | quote }}
  {{- end }}
  rules:
    - host: {{ $root.Values.routes.hostname | quote }}
      http:
        paths:
          {{- range .table.services }}
          {{- $service := .service }}
          {{- range index . $kind }}
          {{- $path := ternary . (printf "%s$" .) (eq $kind "exact") }}
          {{- $type := ternary "Exact" "ImplementationSpecific" (eq $kind "exact") }}
          {{- include "plat.path" (dict "root" $root "service" $service "path" $path "type" $type) | nindent 10 }}
          {{- end }}
          {{- end }}
          {{- if eq $kind "exact" }}
          {{- include "plat.path" (dict "root" $root "service" .table.others.service "path" .table.others.prefix "type" "Prefix") | nindent 10 }}
          {{- end }}
{{- end -}}

{{- define "plat.path" -}}
- path: {{ .path | quote }}
  pathType: {{ .type }}
  backend:
    service:
      name: {{ .root.Release.Name }}-{{ .service }}
      port:
        name: http
{{- end -}}
