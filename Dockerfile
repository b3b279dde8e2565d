# docker build -t pergola . && docker run -p 8069:8069 -v pergola:/data pergola

# What npm reads, so that packages are installed again only when it changes.
FROM node:24-bookworm AS manifests
WORKDIR /app
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete

FROM node:24-bookworm AS build
WORKDIR /app
COPY --from=manifests /app ./
# sqlite3 is compiled here; the image that runs has no compiler.
RUN npm ci --omit=dev
COPY . .
# What browsers load is built ahead of the first start, on a database that is thrown away.
RUN DATA_DIR=../build-data DEMO=false node bin/pergola.js build && rm -r ../build-data

FROM node:24-bookworm-slim
ENV HOST=0.0.0.0 PORT=8069 DATA_DIR=/data
WORKDIR /app
COPY --from=build --chown=node:node /app ./
RUN mkdir -p /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8069
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD node -e "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
CMD ["node", "bin/pergola.js", "start"]
