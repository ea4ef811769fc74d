# An image of the built service for one origin: docker build --build-arg BASE_URL=https://example.org --build-arg CONTACT=you@example.org -t porchlight .
# The settings that are in the pages (ARG) are built in, and the service then runs with them.
# Pin both bases to a digest (@sha256:…) before you publish what you build.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
ARG BASE_URL=http://localhost:4321
ARG SITE_NAME
ARG OWNER_NAME
ARG CONTACT
ARG SOURCE_URL
RUN node scripts/build.ts && node scripts/copy-runtime.ts /out && mkdir /state && mkdir -m 700 /state/data

FROM gcr.io/distroless/nodejs24-debian12:nonroot
# Copied first: a builder that makes WORKDIR gives it to the user that the service runs as.
COPY --from=build /out /app
WORKDIR /app
# The state belongs to the user that the service runs as, 65532, alone: copied by itself, the folder would get the usual mode.
COPY --from=build --chown=65532:65532 /state/ /
ARG BASE_URL=http://localhost:4321
ARG SITE_NAME
ARG OWNER_NAME
ARG CONTACT
ARG SOURCE_URL
ENV BASE_URL="$BASE_URL" SITE_NAME="$SITE_NAME" OWNER_NAME="$OWNER_NAME" CONTACT="$CONTACT" SOURCE_URL="$SOURCE_URL"
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data BUILD=never METRICS_LISTEN=0.0.0.0:9464 DRAIN_SECONDS=5 MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=8192 MALLOC_TRIM_THRESHOLD_=32768 MALLOC_TOP_PAD_=4096 NODE_COMPILE_CACHE=/tmp/porchlight
VOLUME /data
EXPOSE 4321 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["/nodejs/bin/node", "scripts/health.ts"]
CMD ["--expose-gc", "--max-semi-space-size=16", "--max-old-space-size=512", "scripts/start.ts"]
