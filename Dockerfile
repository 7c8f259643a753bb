# An image of Lectern: docker build --tag lectern . (docs/self-hosting.md tells how to run it)
FROM node:24-slim

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
