import { z } from 'zod'
import { call, id, ref } from '#kit/contract/index.ts'

/** Days for which a pack that is made can be fetched. */
export const PACK_DAYS = 7

const made = z.object({
  id,
  name: z.string(),
  program: ref,
  from_year: ref,
  to_year: ref,
  asked_at: z.string(),
  /** Parts of it, and those that are made. */
  items: z.int(),
  done: z.int(),
  /** Until when it can be fetched; null: it is being made. */
  until: z.string().nullable(),
  size: z.number().nullable(),
})

/** The pack of a program: made by a job, fetched as long as it stands. */
export const packCalls = {
  makePack: call('POST', '/courseFile/pack', {
    permission: 'export_courseFile',
    summary: ['Make the accreditation pack of a program', 'إعداد حزمة اعتماد برنامج'],
    body: z.strictObject({
      program_id: id,
      from_year_id: id,
      to_year_id: id,
      lang: z.enum(['ar', 'en']).default('ar'),
    }),
    response: z.object({ job_id: z.string() }),
    example: { program_id: 1, from_year_id: 1, to_year_id: 1 },
  }),
  packs: call('GET', '/courseFile/packs', {
    permission: 'export_courseFile',
    summary: ['My accreditation packs that can be fetched or are being made', 'حزم الاعتماد التي طلبتها'],
    response: z.object({ data: z.array(made) }),
  }),
  fetchPack: call('GET', '/courseFile/pack/{id}/file', {
    permission: 'export_courseFile',
    summary: ['Fetch an accreditation pack of mine', 'تنزيل حزمة اعتماد طلبتها'],
    file: { name: 'Accreditation.zip', type: 'zip' },
  }),
}
/** What the job answers. */
export interface MadePack {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly files: number
  readonly until: string
}
