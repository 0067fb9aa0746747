import type { FastifyRequest } from 'fastify'
import type { Call } from '#kit/contract/index.ts'
import type { Actor, Ctx, FileResult, Services } from '../base/context.ts'
import { requestContext } from '../unit/request.ts'

/** Students and applicants reach nothing but what is their own. */
const isStaff = ({ type, impersonator_id }: Actor): boolean => type < 3 || impersonator_id !== null

/**
 * Keeps in the security log what left the house: files that were taken out, with the list, its filters and how many rows
 * they held, and records of people that were opened. Written outside of the request.
 */
export function trace(
  ctx: Ctx,
  { method, path, file, traced }: Call,
  params: unknown,
  body: unknown,
  result: unknown,
): void {
  if (traced === false || !(file ?? traced) || !ctx.actor || !isStaff(ctx.actor)) return
  const of = (params ?? {}) as { id?: unknown; student_id?: unknown }
  const id = of.id ?? of.student_id
  const record = typeof traced === 'string' && typeof id === 'number' ? { type: traced, id } : undefined
  if (!file) {
    if (record)
      ctx.services.security.note(
        ctx,
        { kind: 'read', record, data: { call: `${method} ${path}` } },
        `${record.type} ${record.id}`,
      )
    return
  }
  const { name, rows } = (result ?? {}) as Partial<FileResult>
  ctx.services.security.note(ctx, {
    kind: 'export',
    ...(record && { record }),
    data: { call: `${method} ${path}`, name, rows, params, asked: body },
  })
}

/** Refusals that say when or how, not who. */
const HARMLESS = new Set([
  'you are in readonly mode',
  'password_again',
  'second_factor_again',
  'sign_in_again',
  'current_password_wrong',
])

/** Records that somebody tried something without permission; at most once in some minutes for each call. */
export function noteRefused(services: Services, request: FastifyRequest, code: string | undefined): void {
  const { call } = request.routeOptions.config as { call?: Call }
  if (!call || !request.actor || (code && HARMLESS.has(code))) return
  const asked = `${call.method} ${call.path}`
  const ctx = requestContext(services, request.actor, 'en', request.ip, request.id, null)
  services.security.note(ctx, { kind: 'refused', data: { call: asked, code } }, asked)
}
