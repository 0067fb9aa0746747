import fs from 'node:fs'
import path from 'node:path'
import compress from '@fastify/compress'
import serve from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { constants } from 'node:zlib'
import { errorBody, refuse } from './errors.ts'

/**
 * Serves the built web application from its folder: assets, whose names hold a digest, may be kept for ever; the page
 * itself is asked for each time; every other address of a screen answers with the page, which finds its way itself.
 */
export function installWeb(app: FastifyInstance, dist: string): void {
  const page = path.join(dist, 'index.html')
  void app.register(async (web) => {
    await web.register(compress, {
      threshold: 1024,
      encodings: ['br', 'gzip'],
      brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } },
    })
    await web.register(serve, {
      root: dist,
      wildcard: false,
      index: false,
      preCompressed: fs.existsSync(`${page}.br`),
      cacheControl: false,
      setHeaders: (reply, file) => {
        void reply.header(
          'cache-control',
          file.startsWith(path.join(dist, 'assets')) ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
      },
    })
    web.setNotFoundHandler((request, reply) => {
      const asset = /^\/(api|assets|metrics)(\/|$)|\.\w{2,5}$/.test(request.url.split('?', 1)[0] ?? '')
      if (asset || (request.method !== 'GET' && request.method !== 'HEAD')) {
        return reply
          .code(404)
          .header('content-type', 'application/json; charset=utf-8')
          .send(JSON.stringify(errorBody(refuse(404, 'not_found'))))
      }
      return reply.header('cache-control', 'no-cache').sendFile('index.html')
    })
  })
}
