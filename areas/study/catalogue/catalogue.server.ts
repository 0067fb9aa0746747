import { defineAreaServer } from '#kit/server/http/area.ts'
import { bylawHandlers } from './bylaws/bylaw.server.ts'
import { catalogueArea } from './catalogue.contract.ts'
import { courseHandlers } from './courses/course.server.ts'
import { departmentHandlers } from './departments/department.server.ts'
import { facultyHandlers } from './faculties/faculty.server.ts'
import { planHandlers } from './programs/plan.server.ts'
import { programs } from './programs/program.server.ts'
import { researchHandlers } from './programs/research.server.ts'
import { unitHistoryHandlers } from './units/unit.server.ts'
import { catalogueTold } from './catalogue.told.contract.ts'

export const catalogueServer = defineAreaServer({
  area: catalogueArea,
  told: catalogueTold,
  handlers: [
    facultyHandlers,
    departmentHandlers,
    bylawHandlers,
    programs.handlers,
    planHandlers,
    researchHandlers,
    courseHandlers,
    unitHistoryHandlers,
  ],
})
