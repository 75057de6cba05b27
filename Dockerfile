FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The repository is not copied: --build-arg REVISION=$(git rev-parse HEAD) --build-arg SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
ARG REVISION
ARG SOURCE_DATE_EPOCH
RUN npm run build:package

FROM node:24-bookworm-slim
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="avax-exporter" \
  org.opencontainers.image.description="Prometheus exporter for Avalanche nodes, validators, L1s and the network" \
  org.opencontainers.image.source="https://github.com/avax-exporter/avax-exporter" \
  org.opencontainers.image.documentation="https://github.com/avax-exporter/avax-exporter#readme" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production
WORKDIR /opt/avax-exporter
COPY --from=build /src/dist/package/avax-exporter.mjs /src/dist/package/THIRD_PARTY_LICENSES.txt ./
COPY --from=build /src/LICENSE /src/config.example.yaml ./
# A volume here gets this owner. Nothing is written without --storage.path, so the root file system can be read-only.
RUN install -d -o node -g node -m 700 /var/lib/avax-exporter
# The image's own unprivileged account "node", in numbers: Kubernetes checks them against runAsNonRoot.
USER 1000:1000
EXPOSE 9750
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s \
  CMD ["node", "avax-exporter.mjs", "healthcheck"]
# As in package.json: shorter pauses and less memory.
ENTRYPOINT ["node", "--max-semi-space-size=8", "--v8-pool-size=2", "--heap-growing-percent=50", "avax-exporter.mjs"]
CMD ["--config.file=/etc/avax-exporter/config.yaml"]
