import { organisationsToAsk } from '#areas/quality/questionnaires/outsiders/outsider.server.ts'
import { hear } from '#kit/server/base/hears.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { trainingOrganisation } from './organisation.contract.ts'

/** Organisations on the list; a place that a student found adds to them. */
export const servedOrganisations = workings(trainingOrganisation, {})

/** Those with an address can be asked by a questionnaire, by whoever sees the list of organisations. */
export const askableOrganisations = hear(organisationsToAsk, async (ctx) => {
  if (!ctx.can('access_trainingOrganisation')) return []
  const { rows } = await sql<{
    id: number
    name: string
    name_local: string
    contact: string | null
    email: string
  }>`select o.id, o.name, o.name_local, o.contact_name as contact, lower(o.email) as email from training_organisations o
    where o.removed_at is null and o.email is not null order by o.name, o.id`.execute(ctx.db)
  return rows
})
