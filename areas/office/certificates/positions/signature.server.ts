/** Pictures of signatures: kept by whoever signs, put on the papers of types that want them. */
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { PdfError } from '#kit/server/documents/index.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { renderPaper, type Names } from '#kit/server/papers/papers.ts'
import { pixelsOf, signedLines, type SignedLine } from '#kit/server/papers/signed.ts'
import { qrImage } from '#kit/server/papers/qr.ts'
import { signatureCalls } from './signature.contract.ts'

/** Pixels of a picture at most: what stands on paper four centimetres wide needs no more. */
const MOST_WIDE = 3000
const MOST_HIGH = 2000

/** SQL of the picture with which somebody signs now; none where another person stands in. */
export const pictureOf = ({ actor_id, impersonator_id }: { actor_id: number | null; impersonator_id: number | null }) =>
  sql`(select g.file_id from signature_pictures g where g.user_id = ${actor_id} and ${impersonator_id}::int is null)`

/** Who signed a certificate, in order, with pictures where its type wants them. */
export async function signedOn(ctx: Ctx, tx: Tx, certificate: number): Promise<SignedLine[]> {
  const { rows } = await sql<{ position: Names; name: Names; on: string; file_id: number | null; ext: string | null }>`
    select json_build_object('name', p.name, 'name_local', p.name_local) as position,
      json_build_object('name', u.name, 'name_local', u.name_local) as name, (z.signed_at at time zone university_zone())::date as on,
      f.id as file_id, f.ext
    from certificate_signatures z join signatory_positions p on p.id = z.position_id join users u on u.id = z.user_id
      join certificates c on c.id = z.certificate_id join certificate_settings y on y.id = c.type_id
      left join files f on f.id = z.picture_id and y.signature_pictures
    where z.certificate_id = ${certificate} and z.voided_at is null order by z.id`.execute(tx)
  return Promise.all(
    rows.map(async ({ file_id, ext, ...line }) => {
      if (file_id === null) return line
      const { content } = await ctx.services.files.read(file_id)
      return {
        ...line,
        picture: {
          ext: ext === 'png' ? ('png' as const) : ('jpg' as const),
          content: content instanceof Readable ? await buffer(content) : content,
        },
      }
    }),
  )
}

/** A picture that could not be printed would withhold every paper: it is tried on one. */
async function demandPrintable(ctx: Ctx, ext: 'png' | 'jpg', content: Uint8Array): Promise<void> {
  const size = pixelsOf(content)
  if (!size || size.width > MOST_WIDE || size.height > MOST_HIGH || !size.width || !size.height)
    throw refuse(422, 'signature_picture', { width: MOST_WIDE, height: MOST_HIGH }, 'picture')
  const none = { name: '–', name_local: '–' }
  const { lines, files } = signedLines([{ position: none, name: none, on: '–', picture: { ext, content } }], 'en')
  try {
    await renderPaper({
      template: 'certificate',
      files: { ...files, 'qr.svg': qrImage(ctx.services.config.publicUrl) },
      data: {
        lang: 'en',
        title: '–',
        serial: '–',
        university: { ...none, unit: '–', unit_local: '–' },
        text: '–',
        facts: [],
        signatures: [],
        signed: lines,
        proof: { serial: '–', qr: 'qr.svg', code: '', caption: '–' },
      },
    })
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    throw refuse(422, 'signature_picture', { width: MOST_WIDE, height: MOST_HIGH }, 'picture')
  }
}

async function own(ctx: Ctx, db: Db | Tx) {
  const actor = actorIn(ctx)
  const { rows } = await sql<{ id: number; name: string }>`select f.id, f.name from signature_pictures g
    join files f on f.id = g.file_id where g.user_id = ${actor.user_id}`.execute(db)
  return { data: { picture: rows[0] ? ctx.services.files.link(rows[0], actor) : null } }
}

export const signatureHandlers: readonly Handled[] = [
  handle(signatureCalls.own, (ctx) => own(ctx, ctx.db)),
  handle(signatureCalls.keep, async (ctx, { file }) => {
    if (!file) throw refuse(422, 'file_missing', {}, 'picture')
    const content = file.content
    await demandPrintable(ctx, file.ext === 'png' ? 'png' : 'jpg', content)
    return ctx.write(async (tx) => {
      const kept = await ctx.services.files.save(ctx, file, tx)
      await sql`insert into signature_pictures (user_id, file_id) values (${actorIn(ctx).user_id}, ${kept.id})
        on conflict (user_id) do update set file_id = excluded.file_id, updated_at = now()`.execute(tx)
      return own(ctx, tx)
    })
  }),
  handle(signatureCalls.remove, (ctx) =>
    ctx.write(async (tx) => {
      await sql`delete from signature_pictures where user_id = ${actorIn(ctx).user_id}`.execute(tx)
      return own(ctx, tx)
    }),
  ),
]
