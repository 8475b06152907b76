{{- define "octavo.name" -}}
{{- if contains "octavo" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-octavo" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "octavo.selector" -}}
app.kubernetes.io/name: octavo
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "octavo.labels" -}}
{{ include "octavo.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "octavo.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "octavo.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "octavo.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
capabilities: { drop: [ALL] }
{{- end }}

{{- define "octavo.secretEnv" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ .secret | quote }}, key: {{ .name }}{{ if .optional }}, optional: true{{ end }} }
{{- end }}

{{/* Settings of every process. */}}
{{- define "octavo.env" -}}
{{- $secret := .Values.existingSecret }}
{{- range list "OCTAVO_SECRETS" "DATABASE_URL" "DATABASE_SYSTEM_URL" "S3_ACCESS_KEY_ID" "S3_SECRET_ACCESS_KEY" }}
{{ include "octavo.secretEnv" (dict "name" . "secret" $secret) }}
{{- end }}
{{- range list "DATABASE_DIRECT_URL" "VALKEY_URL" "CHAT_API_KEY" "DOCLING_API_KEY" "OIDC_CLIENT_SECRET" "SMTP_URL" "OTEL_EXPORTER_OTLP_HEADERS" }}
{{ include "octavo.secretEnv" (dict "name" . "secret" $secret "optional" true) }}
{{- end }}
- { name: BASE_URL, value: {{ .Values.baseUrl | quote }} }
# The kubelet and Prometheus reach the probes and metrics; the network policy keeps others away.
- { name: MANAGEMENT_HOST, value: 0.0.0.0 }
- { name: FILES_DRIVER, value: s3 }
- { name: S3_BUCKET, value: {{ .Values.s3.bucket | quote }} }
- { name: S3_REGION, value: {{ .Values.s3.region | quote }} }
{{- with .Values.s3.endpoint }}
- { name: S3_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- with .Values.s3.publicEndpoint }}
- { name: S3_PUBLIC_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- with .Values.s3.prefix }}
- { name: S3_PREFIX, value: {{ . | quote }} }
{{- end }}
- { name: WORKER_SLOTS, value: {{ .Values.worker.slots | quote }} }
- { name: JOB_SLOTS, value: {{ include "octavo.jobSlots" . | quote }} }
{{- if .Values.modelsFile }}
- { name: MODELS_FILE, value: /etc/octavo/models.json }
{{- end }}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Jobs of all workers together: every process must know the same number. */}}
{{- define "octavo.jobSlots" -}}
{{- $worker := .Values.worker }}
{{- $most := ternary $worker.autoscaling.maxReplicas $worker.replicas $worker.autoscaling.enabled }}
{{- $worker.jobSlots | default (mul $worker.slots $most) }}
{{- end }}

{{- define "octavo.spread" -}}
{{- $labels := printf "%s\napp.kubernetes.io/component: %s" (include "octavo.selector" .root) .component | fromYaml }}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{ toJson $labels }}
{{- end }}
{{- end }}
