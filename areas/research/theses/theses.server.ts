import { defineAreaServer } from '#kit/server/http/area.ts'
import { discussionHandlers } from './discussion/discussion.server.ts'
import { manuscriptHandlers } from './manuscript/manuscript.server.ts'
import { oaiProtocol } from './repository/oai.server.ts'
import { repositoryHandlers } from './repository/repository.server.ts'
import { thesisClock, thesisWork } from './rules/clock.server.ts'
import { ruleHandlers } from './rules/rules.server.ts'
import { subjectHandlers } from './subjects/subjects.server.ts'
import { thesisResource } from './thesis/flow.server.ts'
import { progressHandlers } from './thesis/progress.server.ts'
import { thesisStepHandlers } from './thesis/steps.server.ts'
import { thesisTeamHandlers } from './thesis/team.server.ts'
import { wholeHandlers } from './thesis/whole.server.ts'
import { thesesArea } from './theses.contract.ts'
import { thesesTold } from './theses.told.contract.ts'
import { thesisPaperHandlers } from './paper/paper.server.ts'

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
  jobs: [thesisClock],
  work: thesisWork,
})
