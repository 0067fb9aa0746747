/** What tests of logbooks and duties begin with: an internship year with rotations, types of logbooks, and phones. */
import { createCipheriv, createECDH, createHash, randomBytes, randomUUID } from 'node:crypto'
import { internshipWorld, type InternshipWorld } from '#areas/practice/internship/testing.server.ts'
import { ok, type Answer, type Caller } from '#tests/university.ts'
import { logbookServer } from './logbook.server.ts'

export type Intern = Awaited<ReturnType<InternshipWorld['intern']>>
export interface LogbookWorld extends InternshipWorld {
  /** A rotation that is accepted. */
  placed(who: Intern, training: number, from: number): Promise<number>
  /** A procedure of a course, with how many are wanted. */
  type(course: number, wanted?: { observed?: number; assisted?: number; done?: number }): Promise<number>
}
export async function logbookWorld(): Promise<LogbookWorld> {
  const w = await internshipWorld(-168, [logbookServer])
  let n = 0
  return {
    ...w,
    async placed(who, training_id, from) {
      const { done } = ok(
        await w.office('PUT', '/emtyaz/course/add_emtyaz', {
          rotations: [{ student_id: who.student_id, training_id, starts_on: await w.day(from) }],
        }),
      )
      ok(await w.office('PUT', '/emtyaz/course/accept_emtyaz', { ids: done }))
      return done[0]
    },
    type: async (course_id, { observed = 0, assisted = 0, done = 0 } = {}) =>
      ok(
        await w.office('PUT', '/logbook-types', {
          code: `L${++n}`,
          name: `Procedure ${n}`,
          name_local: 'مهارة',
          course_id,
          kind: 'procedure',
          min_observed: observed,
          min_assisted: assisted,
          min_done: done,
        }),
      ).id,
  }
}

/** An instant so many hours from now. */
export const hoursFromNow = (from: number): string => new Date(Date.now() + from * 3_600_000).toISOString()
/** An entry as a phone makes it. */
export const entry = (rotation_id: number, type_id: number, more: object = {}) => ({
  uuid: randomUUID() as string,
  revision: 1,
  rotation_id,
  type_id,
  role: 'done',
  done_at: hoursFromNow(-2),
  phone_at: hoursFromNow(-1),
  ...more,
})
/** Sends entries; `ahead`: by how many hours the phone's clock is ahead. */
export const send = (who: Caller, entries: readonly object[], ahead = 0): Promise<Answer> =>
  who('POST', '/emtyaz/logbook/sync', { phone_now: hoursFromNow(ahead), entries })

/** Seals a PIN as a phone does. */
export function sealed(pin: string, uuid: string, key: string): string {
  const own = createECDH('prime256v1')
  const point = own.generateKeys()
  const secret = own.computeSecret(Buffer.from(key, 'base64url'))
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', createHash('sha256').update(secret).update(point).digest(), iv)
  cipher.setAAD(Buffer.from(uuid))
  return Buffer.concat([point, iv, cipher.update(pin), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}
