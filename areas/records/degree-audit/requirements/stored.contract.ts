import { cutAnswer, cutQuery } from '#kit/contract/cut.ts'
import { call, ref, safeText, screen } from '#kit/contract/index.ts'
import { id, idParam, option, problem } from '#kit/contract/schema.ts'
import { z } from 'zod'
import { requirement, treeMode } from './tree.contract.ts'

/** Requirements belong to a program, or to a bylaw and thereby to all of its programs. */
export const requirementOwner = z.enum(['program', 'bylaw'])
export type RequirementOwner = z.output<typeof requirementOwner>

const revision = z.int().min(0).max(1_000_000)
const person = z.object({ id: z.int(), name: z.string(), name_local: z.string() }).nullable()
const saved = {
  revision,
  /** Who saved it and when; null for what nobody has saved (revision 0) or the program brought along. */
  by: person,
  at: z.string().nullable(),
  reason: z.string().nullable(),
}

/** What the selectors of a tree name, to be told in words. */
const names = z.object({
  courses: z.array(ref.extend({ credit_hours: z.number() })),
  tags: z.array(ref),
  departments: z.array(ref),
  faculties: z.array(ref),
  /** All elective pools of the program's study plan, named or not. */
  pools: z.array(option),
})
export type RequirementNames = z.output<typeof names>

const stored = z.object({
  ...saved,
  /** The last revision: later than this one where an earlier one was asked for. */
  last: revision,
  mode: treeMode,
  /** Null: none beyond the study plan. */
  tree: requirement.nullable(),
  names,
})
export type StoredRequirements = z.output<typeof answer>['data']
const answer = z.object({
  data: stored.extend({
    of: requirementOwner,
    owner: ref,
    /** Requirements of the program's bylaw, which hold beside its own. */
    bylaw: z.object({ owner: ref, revision, requirements: z.int() }).nullable(),
    abilities: z.array(z.enum(['edit', 'audits'])),
  }),
})

const difference = z.object({
  key: z.string(),
  name: z.string(),
  name_local: z.string(),
  kind: z.enum(['added', 'removed', 'changed']),
  /** It stands in another requirement, or in another order. */
  moved: z.boolean(),
  /** What of it differs. */
  fields: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
})

const of = z.object({ of: requirementOwner, id: idParam })

export const storedCalls = {
  requirementTree: call('GET', '/requirement-trees/{of}/{id}', {
    permission: 'show_requirements',
    summary: ['Show the requirements of a program or bylaw', 'عرض متطلبات برنامج أو لائحة'],
    params: of,
    query: z.strictObject({
      /** An earlier one; the last unless told. */
      revision: z.coerce.number().int().min(1).max(1_000_000).optional(),
    }),
    response: answer,
  }),
  saveRequirementTree: call('PUT', '/requirement-trees/{of}/{id}', {
    permission: 'edit_requirements',
    summary: [
      'Save the requirements of a program or bylaw as a new revision',
      'حفظ متطلبات برنامج أو لائحة كإصدار جديد',
    ],
    params: of,
    body: z.strictObject({
      /** The revision that was seen; 0 where there is none. */
      revision,
      mode: treeMode,
      /** Null: from now on none beyond the study plan. */
      tree: requirement.nullable(),
      reason: safeText(500).nullish(),
    }),
    maxBody: 1_000_000,
    response: answer,
    example: { revision: 0, mode: 'adds', tree: null },
  }),
  checkRequirementTree: call('POST', '/requirement-trees/{of}/{id}/check', {
    permission: 'show_requirements',
    summary: ['Check requirements that are not saved yet', 'فحص متطلبات لم تُحفظ بعد'],
    params: of,
    body: z.strictObject({ tree: requirement }),
    maxBody: 1_000_000,
    reads: true,
    response: z.object({ data: z.object({ problems: z.array(problem) }) }),
  }),
  requirementRevisions: call('GET', '/requirement-trees/{of}/{id}/revisions', {
    permission: 'show_requirements',
    summary: ['List the revisions of the requirements', 'عرض إصدارات المتطلبات'],
    params: of,
    query: cutQuery,
    response: cutAnswer(z.object({ ...saved, mode: treeMode, /** How many there are in it. */ requirements: z.int() })),
  }),
  compareRequirements: call('GET', '/requirement-trees/{of}/{id}/compare', {
    permission: 'show_requirements',
    summary: ['Compare two revisions of the requirements', 'مقارنة إصدارين من المتطلبات'],
    params: of,
    query: z.strictObject({ from: z.coerce.number().pipe(revision), to: z.coerce.number().pipe(revision) }),
    response: z.object({
      data: z.object({
        from: revision,
        to: revision,
        mode: z.object({ before: treeMode, after: treeMode }),
        differences: z.array(difference),
        names,
      }),
    }),
  }),
  restoreRequirements: call('POST', '/requirement-trees/{of}/{id}/restore', {
    permission: 'edit_requirements',
    summary: ['Restore an earlier revision of the requirements', 'استعادة إصدار سابق من المتطلبات'],
    params: of,
    body: z.strictObject({
      /** The last revision, as it was seen. */
      revision,
      /** The one that shall hold again. */
      to: id,
      reason: safeText(500).nullish(),
    }),
    response: answer,
    example: { revision: 1, to: 1 },
  }),
}

export const requirementScreens = [
  screen('/programs/:id/requirements', {
    permission: 'show_requirements',
    title: ['Requirements of the program', 'متطلبات البرنامج'],
    parent: '/programs/:id',
  }),
  screen('/bylaws/:id/requirements', {
    permission: 'show_requirements',
    title: ['Requirements of the bylaw', 'متطلبات اللائحة'],
    parent: '/bylaws/:id',
  }),
]
