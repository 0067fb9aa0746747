import { workings } from '#kit/server/resource/resource.ts'
import { trainingOrganisation } from './organisation.contract.ts'

/** Organisations on the list; a place that a student found adds to them. */
export const servedOrganisations = workings(trainingOrganisation, {})
