# The build runs on the builder's own processor: the program is the same JavaScript for every platform. Nothing runs in the second
# stage, so that an image for another processor needs no emulation.
FROM --platform=$BUILDPLATFORM node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553 AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The repository is not copied: --build-arg REVISION=$(git rev-parse HEAD) --build-arg SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
ARG REVISION
ARG SOURCE_DATE_EPOCH
RUN npm run build:package && install -d dist/default && ln -s /var/lib/avax-exporter dist/default/data && \
  install -d -m 700 dist/state/avax-exporter

# Node.js with the libraries and certificates that it needs, and nothing else: no shell, no package manager. This base has no tags by
# version. Both digests are those of the index for all processors; Dependabot proposes newer ones.
FROM gcr.io/distroless/nodejs24-debian12:nonroot@sha256:14d42e2511532589a7c7e01a753667a74fcc96266e137e8125006b87b0c32d0a
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="avax-exporter" \
  org.opencontainers.image.description="Prometheus exporter for Avalanche nodes, validators, L1s and the network" \
  org.opencontainers.image.source="https://github.com/avax-exporter/avax-exporter" \
  org.opencontainers.image.documentation="https://github.com/avax-exporter/avax-exporter#readme" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.base.name="gcr.io/distroless/nodejs24-debian12:nonroot" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production
WORKDIR /opt/avax-exporter
COPY --from=build /src/dist/package/avax-exporter.mjs /src/dist/package/THIRD_PARTY_LICENSES.txt ./
COPY --from=build /src/LICENSE /src/config.example.yaml ./
# The state, and nothing else, is written here: data/ of the working directory is this folder, and the root file system can be
# read-only. A volume gets this owner.
COPY --from=build --chown=1000:1000 /src/dist/state/ /var/lib/
COPY --from=build /src/dist/default/ ./
VOLUME /var/lib/avax-exporter
# In numbers: Kubernetes checks them against runAsNonRoot. Volumes of earlier images belong to the same user.
USER 1000:1000
EXPOSE 9750
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s \
  CMD ["/nodejs/bin/node", "avax-exporter.mjs", "healthcheck"]
# As in package.json: else V8 lets a heap grow fourfold before it collects it, and a container is limited; and it spreads each small
# collection over threads, which costs a tenth of the processor time of 1,000 nodes.
ENTRYPOINT ["/nodejs/bin/node", "--no-parallel-scavenge", "--max-semi-space-size=8", "--heap-growing-percent=50", "avax-exporter.mjs"]
CMD ["--config.file=/etc/avax-exporter/config.yaml"]
