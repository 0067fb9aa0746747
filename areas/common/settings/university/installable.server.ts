/** What makes the application installable on a phone: its manifest and its icons, by the university's settings. */
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { LANGUAGES } from '#kit/contract/index.ts'
import type { Language } from '#kit/contract/index.ts'
import type { Services } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { ICONS, iconVersion, manifestOf } from './manifest.rules.ts'
import type { IconName, Installable } from './manifest.rules.ts'
import { universitySettingsOf } from './university.server.ts'

const SHOWN = [
  'university_name',
  'university_name_local',
  'university_short_name',
  'accent_colour',
  'university_logo',
] as const

/** The product's own sign, on the university's colour. */
const ownSign = (accent: string, corner: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="512" height="512"><rect width="32" height="32" rx="${corner}" fill="${accent}"/>
  <g transform="translate(16 16) scale(${corner ? 1 : 0.86}) translate(-16 -16)"><path d="M16 7 5.5 12 16 17l10.5-5z" fill="#fff"/>
  <path d="M9.5 15.6v5.1c0 1.7 2.9 3.1 6.5 3.1s6.5-1.4 6.5-3.1v-5.1L16 18.7z" fill="#fff" opacity=".72"/>
  <path d="M26.5 12v7" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/></g></svg>`

/** Pixels of a logo that is read: more is no logo, but an attempt to take the memory of the server. */
const MOST_PIXELS = 40_000_000
/** Of the width: the sign of a maskable icon stands within the circle that every phone leaves. */
const CLEAR = 0.66
/** A logo as wide as it may be touches the edge. */
const WIDE = 0.92

/** A square of the logo on white; a maskable one leaves room at the edge. */
async function squareOf(logo: Uint8Array, { size, purpose }: (typeof ICONS)[IconName]): Promise<Buffer> {
  const inner = Math.round(size * (purpose === 'maskable' ? CLEAR : WIDE))
  const sign = await sharp(logo, { limitInputPixels: MOST_PIXELS })
    .resize(inner, inner, { fit: 'inside' })
    .png()
    .toBuffer()
  const background = purpose === 'maskable' ? '#ffffff' : { r: 255, g: 255, b: 255, alpha: 0 }
  return sharp({ create: { width: size, height: size, channels: 4, background } })
    .composite([{ input: sign, gravity: 'centre' }])
    .png()
    .toBuffer()
}

async function drawIcon({ files }: Services, set: Installable, name: IconName): Promise<Buffer> {
  const { size, purpose } = ICONS[name]
  if (set.university_logo) {
    try {
      const { content } = await files.read(Number(set.university_logo))
      return await squareOf(content instanceof Readable ? await buffer(content) : content, ICONS[name])
    } catch {
      // A picture that cannot be read: the own sign stands there.
    }
  }
  return sharp(Buffer.from(ownSign(set.accent_colour, purpose === 'maskable' ? 0 : 8)))
    .resize(size, size)
    .png()
    .toBuffer()
}

/** Drawn icons that a process keeps: all of two versions. */
const KEPT = Object.keys(ICONS).length * 2

/** Serves `/manifest.webmanifest?lang=ar` and `/icons/icon-192.png`. They are public, as the sign-in page is. */
export function installInstallable(app: FastifyInstance, services: Services): void {
  const shown = (): Promise<Installable> => universitySettingsOf({ db: services.db }, SHOWN)
  const drawn = new Map<string, Promise<Buffer>>()
  app.get('/manifest.webmanifest', async (request, reply) => {
    const { lang } = request.query as { lang?: string }
    const known = (LANGUAGES as readonly string[]).includes(lang ?? '')
    return reply
      .header('content-type', 'application/manifest+json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(JSON.stringify(manifestOf(await shown(), known ? (lang as Language) : 'en')))
  })
  app.get<{ Params: { file: string } }>('/icons/:file', async (request, reply) => {
    const name = /^([\w-]+)\.png$/.exec(request.params.file)?.[1] ?? ''
    if (!Object.hasOwn(ICONS, name)) throw refuse(404, 'not_found')
    const set = await shown()
    const key = `${name} ${iconVersion(set)}`
    let icon = drawn.get(key)
    if (!icon) {
      if (drawn.size >= KEPT) drawn.clear()
      icon = drawIcon(services, set, name as IconName)
      drawn.set(key, icon)
      icon.catch(() => drawn.delete(key))
    }
    return reply
      .header('content-type', 'image/png')
      .header('cache-control', 'public, max-age=3600')
      .send(await icon)
  })
}
