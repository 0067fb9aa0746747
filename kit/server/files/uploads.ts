import type { FastifyRequest } from 'fastify'
import { query } from '#db/connect.ts'
import type { Actor, Services } from '../base/context.ts'
import { refuse } from '../base/errors.ts'

/**
 * Counts a file that a person is about to send, before it is read. Many processes count together.
 *
 * @param files 0: a part of a file that was counted when it began
 * @throws {Refusal} 429 `upload_quota` when the files or megabytes of the day are used up
 */
export async function countUpload(
  { pool, config }: Services,
  actor: Actor,
  request: Pick<FastifyRequest, 'headers'>,
  files: 0 | 1 = 1,
): Promise<void> {
  const bytes = Math.max(0, Number(request.headers['content-length'] ?? 0) || 0)
  const counted = await query<{ files: number }>(
    pool,
    'upload_count',
    `insert into uploads_of_day as u (user_id, day, files, bytes) select $1::int, university_today(), $5::int, $2::bigint where $2::bigint <= $4::bigint
     on conflict (user_id, day) do update set files = u.files + $5::int, bytes = u.bytes + $2::bigint
       where u.files + $5::int <= $3::int and u.bytes + $2::bigint <= $4::bigint
     returning files`,
    [
      actor.impersonator_id ?? actor.user_id,
      bytes,
      config.uploadsPerDay,
      config.uploadMegabytesPerDay * 1_000_000,
      files,
    ],
  )
  if (counted.length) return
  const [left] = await query<{ seconds: number }>(
    pool,
    'upload_wait',
    `select ceil(extract(epoch from university_today() + 1 - (now() at time zone university_zone())))::int as seconds`,
  )
  throw refuse(429, 'upload_quota', {
    files: config.uploadsPerDay,
    megabytes: config.uploadMegabytesPerDay,
    seconds: left?.seconds ?? 3600,
  })
}
