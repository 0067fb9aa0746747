import type { LookupSource } from '#kit/server/base/registry.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { attainmentHandlers } from './attainment/attainment.server.ts'
import { findingHandlers, findingLookups, findingWork } from './attainment/finding.server.ts'
import { matrixHandlers } from './matrix/matrix.server.ts'
import { specificationPaperHandlers } from './paper/paper.server.ts'
import { partHandlers } from './parts/parts.server.ts'
import { questionMarkHandlers } from './questions/question.server.ts'
import { questionSheetHandlers } from './questions/sheet.server.ts'
import { specificationReach } from './spec/reach.server.ts'
import { specificationHandlers, specificationWork } from './spec/specification.server.ts'
import { specStandingHandlers } from './spec/standing.server.ts'
import { specificationsArea } from './specifications.contract.ts'
import { specificationsTold } from './specifications.told.contract.ts'

const OF = (column: string) =>
  `coalesce((select c.${column} from courses c where c.id = r.course_id), (select p.${column} from programs p where p.id = r.program_id))`
const YEAR = (column: string) => `(select y.${column} from years y where y.id = r.year_id)`

/** Specifications as they are chosen: by what they are of, their year and version. */
const lookups: readonly LookupSource[] = [
  {
    name: 'specification',
    table: 'specifications',
    label: {
      name: `${OF('name')} || ' · ' || ${YEAR('name')} || ' · ' || r.revision`,
      name_local: `${OF('name_local')} || ' · ' || ${YEAR('name_local')} || ' · ' || r.revision`,
      code: OF('code'),
    },
    search: OF('search_text'),
    where: 'r.removed_at is null',
    order: 'r.id desc',
    permission: ['access_specification', 'show_specification'],
    scope: specificationReach,
    filters: ['year_id', 'course_id', 'program_id'],
  },
]

export const specificationsServer = defineAreaServer({
  area: specificationsArea,
  told: specificationsTold,
  handlers: [
    specificationHandlers,
    partHandlers,
    matrixHandlers,
    specStandingHandlers,
    specificationPaperHandlers,
    attainmentHandlers,
    findingHandlers,
    questionMarkHandlers,
    questionSheetHandlers,
  ],
  lookups: [...lookups, ...findingLookups],
  work: [...specificationWork, ...findingWork],
})
