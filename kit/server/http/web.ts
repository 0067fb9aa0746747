import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import compress from '@fastify/compress'
import serve from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import helmet from 'helmet'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants } from 'node:zlib'
import { errorBody, refuse } from '../base/errors.ts'

/** Where the nonce stands in the page. */
const NONCE_PLACE = '%CSP_NONCE%'

/**
 * What the web application may load: its own files. Libraries write a few style elements, which show the nonce of the
 * page; sizes and colours of single elements are style attributes.
 */
const contentPolicy = (nonce?: string): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self' blob:",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')

/** Nothing of the machine is used but the screen, and the camera: students scan the code of a meeting. */
const PERMISSIONS_POLICY = [
  'accelerometer',
  'bluetooth',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .concat('camera=(self)')
  .join(', ')

/**
 * Addresses of files, which are there or not: of a folder of files, or ending like one (`/manifest.json`, `/foo.png`).
 * Every other address may be that of a screen.
 */
const ADDRESS_OF_FILE = /^\/(?:api|assets|icons|metrics)(?:\/|$)|\.[a-z][a-z0-9]{0,15}$/i

/** Headers of every answer that protect the reader. They are built once, not for each answer. */
export function protectiveHeaders(https: boolean): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {
    'content-security-policy': contentPolicy(),
    'permissions-policy': PERMISSIONS_POLICY,
  }
  const protect = helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: https ? { maxAge: 31_536_000 } : false,
    crossOriginEmbedderPolicy: false,
  })
  const response = {
    setHeader: (name: string, value: string) => void (headers[name.toLowerCase()] = value),
    removeHeader: () => {},
  }
  protect({} as IncomingMessage, response as unknown as ServerResponse, () => {})
  return headers
}

/** What only a page obeys: a script, a style or a font is no page, and a screen fetches dozens of them. */
const OF_PAGES = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]

/**
 * Serves the built web application from its folder. Assets, whose names contain a digest, may be cached for ever; the
 * page itself is fetched each time; every other screen address answers with the page, which finds the screen itself.
 */
export function installWeb(app: FastifyInstance, dist: string): void {
  const file = path.join(dist, 'index.html')
  const [head = '', tail = ''] = fs.readFileSync(file, 'utf8').split(NONCE_PLACE)
  /** The page, with a nonce of its own for the styles that libraries write into it. */
  const sendPage = (reply: FastifyReply): FastifyReply => {
    const nonce = randomBytes(16).toString('base64')
    return reply
      .header('content-security-policy', contentPolicy(nonce))
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(`${head}${nonce}${tail}`)
  }
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
      // It is never sent as it lies there.
      globIgnore: ['index.html*'],
      preCompressed: fs.existsSync(`${file}.br`),
      cacheControl: false,
      setHeaders: (reply, file) => {
        // A worker obeys the policy of its own script.
        const worker = /service-worker\.js(?:\.br|\.gz)?$/.test(file)
        if (!worker && /\.(?:js|css|woff2?)(?:\.br|\.gz)?$/.test(file))
          for (const name of OF_PAGES) void reply.removeHeader(name)
        void reply.header(
          'cache-control',
          file.startsWith(path.join(dist, 'assets')) ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
      },
    })
    web.setNotFoundHandler((request, reply) => {
      const place = request.url.split('?', 1)[0] ?? ''
      const asset = place !== '/index.html' && ADDRESS_OF_FILE.test(place)
      if (asset || (request.method !== 'GET' && request.method !== 'HEAD')) {
        return reply
          .code(404)
          .header('content-type', 'application/json; charset=utf-8')
          .send(JSON.stringify(errorBody(refuse(404, 'not_found'))))
      }
      return sendPage(reply)
    })
  })
}
