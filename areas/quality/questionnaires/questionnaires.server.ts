import { defineAreaServer } from '#kit/server/http/area.ts'
import type { LookupSource } from '#kit/server/base/registry.ts'
import { countJob } from './counting/count.server.ts'
import { fillHandlers } from './filling/fill.server.ts'
import { ledToQuestionnaire, questionnaireWork } from './filling/waiting.server.ts'
import { inviteByLink, inviteJob } from './inviting/invite.server.ts'
import { invitedHandlers } from './inviting/invited.server.ts'
import { outsiderHandlers } from './outsiders/outsider.server.ts'
import { outsiderSheetHandlers } from './outsiders/sheet.server.ts'
import { questionnaireClock } from './planning/clock.server.ts'
import { questionnaireHandlers } from './planning/questionnaire.server.ts'
import { questionnairesArea } from './questionnaires.contract.ts'
import { questionnairesTold } from './questionnaires.told.contract.ts'
import { reportsJob, resultFileHandlers } from './results/export.server.ts'
import { questionnaireResultHandlers } from './results/results.server.ts'
import { questionHandlers } from './types/question.server.ts'

/** Questions are called by their text. */
const lookups: readonly LookupSource[] = [
  {
    name: 'questionnaireQuestion',
    table: 'questionnaire_questions',
    label: { name: 'r.question', name_local: 'r.question_local' },
    search: 'r.search_text',
    where: 'r.removed_at is null',
    order: 'r.type_id, r.position, r.id',
    permission: ['access_questionnaireQuestion', 'show_questionnaireQuestion'],
    scope: 'university',
    filters: ['type_id', 'kind'],
  },
]

export const questionnairesServer = defineAreaServer({
  area: questionnairesArea,
  told: questionnairesTold,
  handlers: [
    questionHandlers,
    questionnaireHandlers,
    fillHandlers,
    invitedHandlers,
    outsiderHandlers,
    outsiderSheetHandlers,
    questionnaireResultHandlers,
    resultFileHandlers,
  ],
  lookups,
  hears: [ledToQuestionnaire],
  work: questionnaireWork,
  jobs: [questionnaireClock, countJob, reportsJob, inviteJob, inviteByLink],
})
