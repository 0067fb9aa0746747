import type { LookupSource } from '#kit/server/base/registry.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { discussionHandlers } from './discussion/discussion.server.ts'
import { examinerMailJob } from './discussion/invite.server.ts'
import { manuscriptHandlers } from './manuscript/manuscript.server.ts'
import { oaiProtocol } from './repository/oai.server.ts'
import { repositoryHandlers } from './repository/repository.server.ts'
import { thesisClock, thesisWork } from './rules/clock.server.ts'
import { supervisedHeard } from './repository/supervised.server.ts'
import { ruleHandlers } from './rules/rules.server.ts'
import { subjectHandlers } from './subjects/subjects.server.ts'
import { thesisResource } from './thesis/flow.server.ts'
import { progressHandlers } from './thesis/progress.server.ts'
import { thesisReach } from './thesis/reach.server.ts'
import { thesisStepHandlers } from './thesis/steps.server.ts'
import { thesisTeamHandlers } from './thesis/team.server.ts'
import { wholeHandlers } from './thesis/whole.server.ts'
import { thesesArea } from './theses.contract.ts'
import { thesesTold } from './theses.told.contract.ts'
import { thesisPaperHandlers } from './paper/paper.server.ts'

/** Theses as they are chosen: by title and student. */
const lookups: readonly LookupSource[] = [
  {
    name: 'thesis',
    table: 'theses',
    label: {
      name: 'r.title',
      name_local: 'r.title_local',
      code: '(select s.code from students s where s.id = r.student_id)',
    },
    search: 'r.search_text',
    where: 'r.removed_at is null',
    order: 'r.id desc',
    permission: ['access_thesis', 'show_thesis'],
    scope: thesisReach,
    filters: ['status', 'degree'],
  },
]

export const thesesServer = defineAreaServer({
  area: thesesArea,
  told: thesesTold,
  handlers: [
    ruleHandlers,
    subjectHandlers,
    thesisResource.handlers,
    thesisStepHandlers,
    thesisTeamHandlers,
    progressHandlers,
    discussionHandlers,
    manuscriptHandlers,
    wholeHandlers,
    repositoryHandlers,
    thesisPaperHandlers,
  ],
  protocols: [oaiProtocol],
  jobs: [thesisClock, examinerMailJob],
  work: thesisWork,
  lookups,
  hears: [supervisedHeard],
})
