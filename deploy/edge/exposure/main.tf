# What the owner of a cluster applies once, so that environments can be exposed under TLS: the certificate of the
# platform's own environment, and the transport policy of the edge. docs/exposure.md shows how.

terraform {
  required_version = ">= 1.6"
  required_providers {
    kubectl = {
      source  = "gavinbunney/kubectl"
      version = "~> 1.19.0"
    }
  }
}

provider "kubectl" {
  config_path    = pathexpand(var.kubeconfig)
  config_context = var.kubernetes_context
}

locals {
  subzone  = "${var.platform_environment}.${var.services_zone}"
  wildcard = "${var.platform_environment}-wildcard"
}

# An issuer of the namespace, not of the cluster. Spec: Client, TLS rules, rule 2.
resource "kubectl_manifest" "issuer" {
  yaml_body = yamlencode({
    apiVersion = "cert-manager.io/v1"
    kind       = "Issuer"
    metadata   = { name = "${local.wildcard}-issuer", namespace = var.platform_environment }
    spec = {
      acme = {
        email               = var.acme_email
        server              = var.acme_server
        privateKeySecretRef = { name = "${local.wildcard}-issuer-account" }
        solvers = [{
          selector = { dnsZones = [local.subzone] }
          dns01 = {
            rfc2136 = {
              nameserver          = var.dns_server
              tsigKeyName         = var.dns_tsig_name
              tsigAlgorithm       = var.dns_tsig_algorithm
              tsigSecretSecretRef = var.dns_tsig_secret
            }
          }
        }]
      }
    }
  })
}

# The certificate whose secret the ingresses of `plat expose` name. Spec: Client, TLS rules, rule 2.
resource "kubectl_manifest" "certificate" {
  yaml_body = yamlencode({
    apiVersion = "cert-manager.io/v1"
    kind       = "Certificate"
    metadata   = { name = local.wildcard, namespace = var.platform_environment }
    spec = {
      secretName = "${local.wildcard}-tls"
      dnsNames   = ["*.${local.subzone}"]
      issuerRef  = { name = "${local.wildcard}-issuer", kind = "Issuer" }
    }
  })
  depends_on = [kubectl_manifest.issuer]
}

# Strict-Transport-Security, for whatever the edge serves over TLS. Spec: Client, TLS rules, rule 5.
resource "kubectl_manifest" "hsts" {
  yaml_body = yamlencode({
    apiVersion = "traefik.io/v1alpha1"
    kind       = "Middleware"
    metadata   = { name = "edge-hsts", namespace = var.edge_namespace }
    spec = {
      headers = {
        stsSeconds           = var.hsts_max_age_seconds
        stsIncludeSubdomains = var.hsts_include_subdomains
        stsPreload           = var.hsts_preload
      }
    }
  })
}

# Values of traefik's own helm chart. Only the ingress controller itself can redirect whatever arrives in plain, and put
# the header on whatever leaves under TLS, without a word in any ingress.
output "traefik_values" {
  description = "Values for the traefik chart: a permanent redirect from plain to secure, and edge-hsts on all that is secure."
  value = yamlencode({
    ports = {
      web = {
        http = {
          redirections = {
            entryPoint = { to = "websecure", scheme = "https", permanent = true }
          }
        }
      }
      websecure = {
        http = {
          middlewares = ["${var.edge_namespace}-edge-hsts@kubernetescrd"]
        }
      }
    }
  })
}
