import { defineAreaServer } from '#kit/server/http/area.ts'
import { projectHandlers, projectWork } from './project/project.server.ts'
import { projectsHeard } from './project/public.server.ts'
import { projectThesisHandlers } from './project/theses.server.ts'
import { projectsArea } from './projects.contract.ts'
import { projectsTold } from './projects.told.contract.ts'

export const projectsServer = defineAreaServer({
  area: projectsArea,
  told: projectsTold,
  handlers: [projectHandlers, projectThesisHandlers],
  work: projectWork,
  hears: [projectsHeard],
})
