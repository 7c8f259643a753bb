# An image of Lectern: docker build --tag lectern . (docs/self-hosting.md tells how to run it)
FROM node:24-slim

# Repositories are read and written with it.
RUN apt-get update && apt-get install --yes --no-install-recommends git ca-certificates && rm -rf /var/lib/apt/lists/*

WORKDIR /lectern
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force
COPY . .

# Everything that must outlive the container is in here: the database, files, the secret.
ENV LECTERN_DATA=/data HOST=0.0.0.0
RUN mkdir /data && chown node:node /data
VOLUME /data
EXPOSE 3000

USER node
CMD ["node", "bin/lectern.js", "serve"]
