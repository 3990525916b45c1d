variable "kubernetes_context" {
  description = "Context of the kubeconfig for the cluster that the platform's own environment and the edge run in."
  type        = string
}

variable "kubeconfig" {
  description = "Path of the kubeconfig."
  type        = string
  default     = "~/.kube/config"
}

variable "platform_environment" {
  description = "The platform's own environment, as platform.env names it: <tenant>-<env>, which is its namespace, too."
  type        = string
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]*-[a-z][a-z0-9-]*$", var.platform_environment)) && length(var.platform_environment) <= 63
    error_message = "platform_environment is <tenant>-<env>, such as acme-prod."
  }
}

variable "services_zone" {
  description = "The zone of public names, as platform.serviceszone has it."
  type        = string
}

variable "acme_email" {
  description = "Where the certificate authority writes to."
  type        = string
}

variable "acme_server" {
  description = "Directory of the ACME server."
  type        = string
  default     = "https://acme-v02.api.letsencrypt.org/directory"
}

variable "dns_server" {
  description = "host:port of the name server that takes RFC 2136 updates of the services zone."
  type        = string
}

variable "dns_tsig_name" {
  description = "Name of the key that signs the updates."
  type        = string
}

variable "dns_tsig_algorithm" {
  description = "HMACSHA256 or HMACSHA512."
  type        = string
  default     = "HMACSHA256"
  validation {
    condition     = contains(["HMACSHA256", "HMACSHA512"], var.dns_tsig_algorithm)
    error_message = "dns_tsig_algorithm is HMACSHA256 or HMACSHA512."
  }
}

variable "dns_tsig_secret" {
  description = "Secret of the platform's namespace, and the key in it, that holds the TSIG key. Its content never comes here."
  type        = object({ name = string, key = string })
}

variable "edge_namespace" {
  description = "Namespace of the ingress controller."
  type        = string
  default     = "traefik"
}

variable "hsts_max_age_seconds" {
  description = "max-age of Strict-Transport-Security: for how long a browser asks for https alone."
  type        = number
  default     = 86400
  validation {
    condition     = var.hsts_max_age_seconds >= 0 && floor(var.hsts_max_age_seconds) == var.hsts_max_age_seconds
    error_message = "hsts_max_age_seconds is a whole number of seconds, 0 or more."
  }
}

variable "hsts_include_subdomains" {
  description = "Adds includeSubDomains."
  type        = bool
  default     = false
}

variable "hsts_preload" {
  description = "Adds preload, by which browsers may ship the rule. It is hard to take back."
  type        = bool
  default     = false
}
