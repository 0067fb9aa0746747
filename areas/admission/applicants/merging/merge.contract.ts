import { z } from 'zod'
import { cutAnswer, cutQuery } from '#kit/contract/cut.ts'
import { call, id, idParam, problem, ref, safeText } from '#kit/contract/index.ts'
import { APPLICANT_STATUSES } from '../words.contract.ts'

const status = z.enum(APPLICANT_STATUSES.map(({ value }) => value))
export const SAME_PERSON_BY = ['national_id', 'passport_number', 'phone', 'name'] as const

/** An application beside another one of what may be the same person. */
const side = z.object({
  id,
  version: z.int(),
  code: z.string(),
  name: z.string().nullable(),
  name_local: z.string().nullable(),
  status,
  email: z.string().nullable(),
  phone: z.string().nullable(),
  national_id: z.string().nullable(),
  passport_number: z.string().nullable(),
  birth_date: z.string().nullable(),
  percentage: z.string().nullable(),
  created_at: z.string(),
  submitted_at: z.string().nullable(),
  documents: z.int(),
  comments: z.int(),
  wishes: z.array(ref),
  program: ref.nullable(),
  paid: z.boolean(),
})
export type ApplicationSide = z.output<typeof side>

const shown = side.pick({ id: true, code: true, name: true, name_local: true, status: true, email: true })
const pair = z.object({ one: shown, other: shown, by: z.array(z.enum(SAME_PERSON_BY)) })
export type AlikePair = z.output<typeof pair>

export const applicantMergeCalls = {
  duplicates: call('GET', '/applicants/duplicates/{id}', {
    permission: 'access_applicant',
    summary: ['Applications of an admission (id) that may be of one person', 'طلبات في فترة قبول قد تكون لشخص واحد'],
    query: cutQuery,
    response: cutAnswer(pair),
  }),
  compare: call('GET', '/applicants/merging/{keep}/{merge}', {
    permission: 'cancel_applicant',
    params: z.object({ keep: idParam, merge: idParam }),
    summary: ['Two applications side by side, and what stands against merging them', 'مقارنة طلبين وموانع دمجهما'],
    response: z.object({ data: z.object({ kept: side, merged: side, problems: z.array(problem) }) }),
  }),
  merge: call('POST', '/applicants/merging', {
    permission: 'cancel_applicant',
    summary: ['Merge two applications of one person', 'دمج طلبين لشخص واحد'],
    confirm: 'password',
    body: z.strictObject({
      keep_id: id,
      merge_id: id,
      /** Versions of both as they were seen. */
      seen: z.tuple([z.int(), z.int()]),
    }),
    response: z.object({ data: z.object({ id }) }),
    example: { keep_id: 1, merge_id: 2, seen: [1, 1] },
  }),
  apart: call('POST', '/applicants/apart', {
    permission: 'review_applicant',
    summary: ['Say that two applications are of two people', 'الإفادة بأن طلبين لشخصين مختلفين'],
    body: z.strictObject({ one_id: id, other_id: id, reason: safeText(500, 3) }),
    response: z.object({ data: z.null() }),
    example: { one_id: 1, other_id: 2, reason: 'Twins' },
  }),
  together: call('DELETE', '/applicants/apart/{one}/{other}', {
    permission: 'review_applicant',
    params: z.object({ one: idParam, other: idParam }),
    summary: ['Take back that two applications are of two people', 'سحب الإفادة بأن طلبين لشخصين مختلفين'],
    response: z.object({ data: z.null() }),
  }),
}
