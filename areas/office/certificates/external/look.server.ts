/** What a file says of itself: our own papers by their content, credentials and ELMO, the signature of a PDF. */
import { createHash } from 'node:crypto'
import { readForeignFile } from '#areas/office/credentials/read/read.server.ts'
import { checkFile } from '#kit/contract/paper-file.ts'
import type { Ctx, Upload } from '#kit/server/base/context.ts'
import { sql } from 'kysely'
import { foundByItself, type FileFound, type FoundByItself } from './external.rules.ts'

export const contentHash = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

async function ownPaper(ctx: Ctx, sha256: string): Promise<FileFound['own']> {
  const { rows } = await sql<{ serial: string; valid: boolean }>`
    select serial, revoked_at is null and replaced_by is null and coalesce(valid_until >= university_today(), true) as valid
    from papers where sha256 = ${sha256} order by id limit 1`.execute(ctx.db)
  return rows[0] ?? null
}

/** Looks at a file before it is kept: other servers may be asked, so it is done outside of transactions. Null: it says nothing. */
export async function lookAtFile(ctx: Ctx, { content, name, ext }: Upload): Promise<FoundByItself | null> {
  const bytes = new Uint8Array(content)
  const own = await ownPaper(ctx, contentHash(content))
  if (own) return foundByItself({ own, credential: null, signature: 'none' })
  if (ext === 'txt') {
    const { valid, issuer, reasons } = await readForeignFile(ctx, bytes)
    const why = reasons.map((one) => one.en).join(' ')
    return foundByItself({ own, credential: { valid, issuer, why: why.slice(0, 1000) || null }, signature: 'none' })
  }
  if (ext !== 'pdf') return null
  const { signature } = await checkFile(name, bytes)
  return foundByItself({ own, credential: null, signature: typeof signature === 'object' ? 'intact' : signature })
}
