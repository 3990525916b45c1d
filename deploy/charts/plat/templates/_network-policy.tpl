{{/* A rule of egress or ingress. Takes direction ("to" or "from"), peers and ports, each "TCP 443". */}}
{{- define "plat.rule" -}}
- {{ .direction }}:
    {{- toYaml .peers | nindent 4 }}
  ports:
    {{- range .ports }}
    - protocol: {{ index (splitList " " .) 0 }}
      port: {{ index (splitList " " .) 1 }}
    {{- end }}
{{- end -}}

{{/* Egress to a destination of the values, {to, port}; nothing if it has no peers. */}}
{{- define "plat.egressTo" -}}
{{- $port := include "plat.text" .port -}}
{{- if .to -}}
{{- include "plat.rule" (dict "direction" "to" "peers" .to "ports" (list (printf "TCP %s" $port))) }}
{{- end -}}
{{- end -}}

{{/* The same over UDP as well, for name servers. */}}
{{- define "plat.egressToNames" -}}
{{- $port := include "plat.text" .port -}}
{{- if .to -}}
{{- include "plat.rule" (dict "direction" "to" "peers" .to "ports" (list (printf "UDP %s" $port) (printf "TCP %s" $port))) }}
{{- end -}}
{{- end -}}

{{/* What every pod that works with the database sends. */}}
{{- define "plat.databaseEgress" -}}
{{- $own := .Values.networkPolicy -}}
{{- $rules := list (include "plat.egressToNames" $own.dns) (include "plat.egressTo" $own.database) -}}
{{- if .Values.postgresql.enabled -}}
{{- $peers := include "plat.postgresqlPeers" . | fromYamlArray -}}
{{- $rules = append $rules (include "plat.rule" (dict "direction" "to" "peers" $peers "ports" (list "TCP 5432"))) -}}
{{- end -}}
{{- range $rules }}{{ with trim . }}{{ . | nindent 0 }}{{ end }}{{ end -}}
{{- end -}}

{{/* The pods of the chart's own database, and of its pooler, which have the same label. */}}
{{- define "plat.postgresqlPeers" -}}
- podSelector:
    matchLabels:
      cnpg.io/cluster: {{ include "plat.postgresql" . }}
{{- end -}}

{{/* What a service sends. Takes root and part. */}}
{{- define "plat.serviceEgress" -}}
{{- $own := .root.Values.networkPolicy -}}
{{- $rules := list (include "plat.databaseEgress" .root) (include "plat.egressTo" $own.issuers) (include "plat.egressTo" $own.collector) -}}
{{- if eq .part "reviews" -}}
{{- $public := include "plat.publicAddresses" .root | fromYamlArray -}}
{{- $rules = append $rules "# Repositories. No other service leaves the cluster." -}}
{{- $rules = append $rules (include "plat.rule" (dict "direction" "to" "peers" $public "ports" (list "TCP 443"))) -}}
{{- $rules = append $rules (include "plat.egressTo" $own.repositories) -}}
{{- else if eq .part "platform" -}}
{{- $rules = concat $rules (list (include "plat.egressTo" $own.clusters) (include "plat.egressToNames" $own.nameServer)) -}}
{{- end -}}
{{- range $rules }}{{ with trim . }}{{ . | nindent 0 }}{{ end }}{{ end -}}
{{- end -}}

{{/*
Everything outside of the cluster that is public: no private, link-local, loopback or shared address, no IPv4 address in an
IPv6 one, and no address that the IANA registry reserves. The verifier's own wall closes the same ones.
*/}}
{{- define "plat.publicAddresses" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except:
      - 0.0.0.0/8
      - 10.0.0.0/8
      - 100.64.0.0/10
      - 127.0.0.0/8
      - 168.63.129.16/32
      - 169.254.0.0/16
      - 172.16.0.0/12
      - 192.0.0.0/24
      - 192.0.2.0/24
      - 192.31.196.0/24
      - 192.52.193.0/24
      - 192.88.99.0/24
      - 192.168.0.0/16
      - 192.175.48.0/24
      - 198.18.0.0/15
      - 198.51.100.0/24
      - 203.0.113.0/24
      - 224.0.0.0/4
      - 240.0.0.0/4
- ipBlock:
    cidr: 2000::/3
    except:
      - 2001::/23
      - 2001:db8::/32
      - 2002::/16
      - 2620:4f:8000::/48
      - 3fff::/20
{{- end -}}
