FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /opt/avax-exporter
COPY --from=build /src/dist/avax-exporter.mjs ./
COPY --from=build /src/LICENSE /src/config.example.yaml ./
# A volume here gets this owner. Nothing is written without --storage.path, so the root file system can be read-only.
RUN install -d -o node -g node -m 700 /var/lib/avax-exporter
# The image's own unprivileged account.
USER node
EXPOSE 9750
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9750/-/healthy').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# As in package.json: shorter pauses, less memory, and no debugger on a signal.
ENTRYPOINT ["node", "--max-semi-space-size=8", "--v8-pool-size=2", "--disable-sigusr1", "avax-exporter.mjs"]
CMD ["--config.file=/etc/avax-exporter/config.yaml"]
