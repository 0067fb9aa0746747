import type { LookupSource } from '#kit/server/base/registry.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { publicationDoubleHandlers, doublesJob } from './doubles/doubles.server.ts'
import { researcherHandlers } from './researcher/researcher.server.ts'
import { rankedJournalHandlers } from './journals/journal.server.ts'
import { publicationsArea } from './publications.contract.ts'
import { publicationsTold } from './publications.told.contract.ts'
import { referenceExportHandlers } from './references/export.server.ts'
import { importReferencesJob, referenceImportHandlers } from './references/import.server.ts'
import { syncHandlers, syncJob } from './sources/sync.server.ts'
import { publicationFileHandlers } from './works/file.server.ts'
import { memberHandlers } from './works/members.server.ts'
import { publicationHandlers } from './works/publication.server.ts'
import { publicationReach } from './works/reach.server.ts'

/** Publications as they are chosen: by title and year. */
const lookups: readonly LookupSource[] = [
  {
    name: 'publication',
    table: 'publications',
    label: {
      name: 'coalesce(r.title, r.title_local)',
      name_local: 'coalesce(r.title_local, r.title)',
      code: 'r.year::text',
    },
    search: 'r.search_text',
    where: 'r.removed_at is null',
    order: 'r.year desc nulls last, r.id desc',
    permission: ['access_publication', 'show_publication'],
    scope: publicationReach,
    filters: ['kind', 'status'],
  },
  {
    // Accounts of who works here, as members of works and projects: by name alone.
    name: 'researcher',
    table: 'users',
    label: {
      name: 'coalesce(r.used_name, r.name)',
      name_local: 'coalesce(r.used_name_local, r.name_local)',
      code: 'null',
    },
    search: 'r.search_text',
    where: 'r.removed_at is null and r.type in (1, 2)',
    order: 'r.name',
    permission: [
      'add_publication',
      'edit_publication',
      'add_project',
      'edit_project',
      'show_project',
      'access_project',
    ],
    scope: 'university',
    filters: [],
  },
]

export const publicationsServer = defineAreaServer({
  area: publicationsArea,
  told: publicationsTold,
  handlers: [
    publicationHandlers,
    memberHandlers,
    publicationFileHandlers,
    rankedJournalHandlers,
    referenceImportHandlers,
    referenceExportHandlers,
    syncHandlers,
    publicationDoubleHandlers,
    researcherHandlers,
  ],
  jobs: [importReferencesJob, syncJob, doublesJob],
  lookups,
})
