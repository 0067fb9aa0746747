import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import compress from '@fastify/compress'
import serve from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import helmet from 'helmet'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { openedBy } from '#kit/contract/address.ts'
import type { Language } from '#kit/contract/words.ts'
import { languageAsked, withFirst, type createFirst } from './first.ts'
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

/** Pages are answered with a nonce of their own. */
const PAGES = /^\/(?:index\.html|light\.html|light\.json)/

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

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const smaller = {
  br: (page: string) => promisify(brotliCompress)(page, brotli),
  gzip: (page: string) => promisify(gzip)(page),
}
/** Sends a page as small as the browser takes it. Pages are answers of no route, which the plugin for files passes by. */
async function sendSmall(request: FastifyRequest, reply: FastifyReply, page: string): Promise<FastifyReply> {
  void reply.header('content-type', 'text/html; charset=utf-8').header('vary', 'accept-encoding')
  const accepted = (request.headers['accept-encoding'] ?? '').split(',').flatMap((one) => {
    const [name = '', weight = ''] = one.split(';').map((part) => part.trim().toLowerCase())
    return /^q=0(?:\.0*)?$/.test(weight) ? [] : [name]
  })
  const encoding = (['br', 'gzip'] as const).find((one) => accepted.includes(one))
  // In zlib's own thread, so that other requests go on meanwhile.
  return encoding ? reply.header('content-encoding', encoding).send(await smaller[encoding](page)) : reply.send(page)
}

/** A page as it was built; what it fetches at once is written into its head. */
function pageOf(file: string): (links: string) => string {
  const whole = fs.readFileSync(file, 'utf8')
  return (links) => whole.replace('</head>', () => `${links}</head>`)
}

/** What every page asks before it says anything: whose it is, and by whose clock. */
const ALWAYS_ASKED = ['/university/data']

/** `light.json` of the build: screens that have a page of their own, and what they fetch. */
interface LightScreen {
  readonly path: string
  readonly files: readonly string[]
  readonly asks: readonly string[]
  readonly texts: Readonly<Record<string, readonly string[]>>
}

/**
 * The light page (`apps/build/light.ts`) for whoever is not signed in and opens a screen that has one; what the screen is
 * made of is named in it, so that it is fetched with the page's script and not after it. null: the build has none.
 */
interface LightAnswer {
  readonly page: string
  readonly screen: string
  readonly params: Readonly<Record<string, string>>
  readonly lang: Language
}
function lightPage(dist: string): ((request: FastifyRequest) => LightAnswer | null) | null {
  const list = path.join(dist, 'light.json')
  if (!fs.existsSync(list)) return null
  const screens = new Map(
    (JSON.parse(fs.readFileSync(list, 'utf8')) as readonly LightScreen[]).map((one) => [one.path, one]),
  )
  const paths = [...screens.keys()]
  const page = pageOf(path.join(dist, 'light.html'))
  return (request) => {
    // Who is signed in goes about in the application.
    if (/(?:^|;\s*)user=/.test(request.headers.cookie ?? '')) return null
    const opened = openedBy(paths, request.url.split('?', 1)[0] ?? '')
    const screen = opened && screens.get(opened.path)
    if (!screen) return null
    const language = languageAsked(request.headers)
    const links = [...screen.files, ...(screen.texts[language] ?? [])].map((file) =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" crossorigin href="${file}">`
        : `<link rel="modulepreload" crossorigin href="${file}">`,
    )
    const asks = [...ALWAYS_ASKED, ...screen.asks].map(
      (call) =>
        `<link rel="preload" as="fetch" crossorigin="anonymous" href="/api${call.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(opened.params[name] ?? ''))}">`,
    )
    return { page: page([...asks, ...links].join('')), screen: screen.path, params: opened.params, lang: language }
  }
}

/**
 * Serves the built web application from its folder. Assets, whose names contain a digest, may be cached for ever; the
 * page itself is fetched each time; every other screen address answers with the page, which finds the screen itself.
 */
export function installWeb(app: FastifyInstance, dist: string, first: ReturnType<typeof createFirst>): void {
  const file = path.join(dist, 'index.html')
  const whole = pageOf(file)
  const light = lightPage(dist)
  /** The page, with a nonce of its own for the styles that libraries write into it. */
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const nonce = randomBytes(16).toString('base64')
    const opened = light?.(request)
    const drawn = opened && (await first(opened.screen, opened.lang, opened.params))
    const page = (opened?.page ?? whole('')).replace(NONCE_PLACE, nonce)
    void reply.header('content-security-policy', contentPolicy(nonce)).header('cache-control', 'no-cache')
    return sendSmall(request, reply, drawn ? withFirst(page, drawn, nonce) : page)
  }
  void app.register(async (web) => {
    await web.register(compress, {
      threshold: 1024,
      encodings: ['br', 'gzip'],
      brotliOptions: brotli,
    })
    await web.register(serve, {
      root: dist,
      index: false,
      // One route for all files: a route of its own for each of thousands costs every process 20 MB. Pages and what they are made
      // of are never sent as they lie there, and the address of a screen is not looked for on the disk.
      allowedPath: (address) => ADDRESS_OF_FILE.test(address) && !PAGES.test(address),
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
      return sendPage(request, reply)
    })
  })
}
