import { id, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'
import type { Requirement, Selector } from './tree.rules.ts'

/** An amount of credit hours or points: at most two places. */
const places = (max: number) => z.number().min(0).max(max).multipleOf(0.01)
const list = z.enum(['mandatory', 'university', 'faculty'])
const unit = z.enum(['courses', 'hours'])
/** Key of a requirement within its tree. */
export const requirementKey = z.string().regex(/^[a-z0-9][a-z0-9_.-]{0,59}$/)

/** Which courses; what else must hold is checked by `checkRequirements`. */
export const selector: z.ZodType<Selector> = z.lazy(() =>
  z.discriminatedUnion('by', [
    z.strictObject({ by: z.literal('course'), course_id: id }),
    z.strictObject({ by: z.literal('code'), pattern: safeText(30, 1) }),
    z.strictObject({ by: z.literal('level'), from: z.int().min(0).max(9), to: z.int().min(0).max(9) }),
    z.strictObject({ by: z.literal('tag'), tag_id: id }),
    z.strictObject({ by: z.literal('department'), department_id: id }),
    z.strictObject({ by: z.literal('faculty'), faculty_id: id }),
    z.strictObject({ by: z.literal('pool'), pool_id: id }),
    z.strictObject({ by: z.literal('list'), list }),
    z.strictObject({ by: z.literal('requirement'), key: requirementKey }),
    z.strictObject({ by: z.literal('any') }),
    z.strictObject({ by: z.literal('both'), of: z.array(selector).max(10) }),
  ]),
)

const named = {
  key: requirementKey,
  name: safeText(200, 1),
  name_local: safeText(200, 1),
  note: safeText(2000).optional(),
  note_local: safeText(2000).optional(),
  max_counted: places(1000).optional(),
  by_semester: z.int().min(1).max(16).optional(),
}
const parts = z.lazy(() => z.array(requirement).max(100))
const selectors = z.array(selector).max(1000)

/** A requirement as it travels and is stored; what else must hold is checked by `checkRequirements`. */
export const requirement: z.ZodType<Requirement> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('all'), ...named, apart: z.boolean().optional(), parts }),
    z.strictObject({
      kind: z.literal('some'),
      ...named,
      min: places(1000),
      count: z.enum(['parts', 'amounts']).optional(),
      parts,
    }),
    z.strictObject({ kind: z.literal('sum'), ...named, unit, min: places(1000), parts }),
    z.strictObject({
      kind: z.literal('courses'),
      ...named,
      unit,
      min: z.union([places(1000), z.literal('all')]),
      from: selectors,
      except: selectors.optional(),
      min_points: places(4).optional(),
      sharing: z.boolean().optional(),
    }),
    z.strictObject({ kind: z.literal('total'), ...named, unit, min: places(1000), of: z.enum(['counted', 'passed']) }),
    z.strictObject({ kind: z.literal('gpa'), ...named, min: places(4), from: selectors.optional() }),
    z.strictObject({ kind: z.literal('training'), ...named, min: z.int().min(0).max(300) }),
    z.strictObject({ kind: z.literal('hand'), ...named, optional: z.boolean().optional() }),
  ]),
)

/** How a tree of its own stands to the study plan. */
export const treeMode = z.enum(['adds', 'replaces'])
