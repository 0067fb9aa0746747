import { accessAndPeopleServer } from '#areas/access-and-people/access-and-people.server.ts'
import { catalogueServer } from '#areas/catalogue/catalogue.server.ts'
import { offeringsServer } from '#areas/offerings/offerings.server.ts'
import { gradingServer } from '#areas/grading/grading.server.ts'
import { oneRosterServer } from '#areas/oneroster/oneroster.server.ts'
import { peopleServer } from '#areas/people/people.server.ts'
import { reportsServer } from '#areas/reports/reports.server.ts'
import { registrationServer } from '#areas/registration/registration.server.ts'
import { schedulingServer } from '#areas/scheduling/scheduling.server.ts'
import { settingsServer } from '#areas/settings/settings.server.ts'
import { studentsServer } from '#areas/students/students.server.ts'
import { termsServer } from '#areas/terms/terms.server.ts'
import { shellArea } from '#kit/contract/shell.area.ts'
import { defineAreaServer } from '#kit/server/area.ts'
import type { AreaServer } from '#kit/server/area.ts'
import { kitServer } from '#kit/server/kit.server.ts'

/** The server side of every area in `../areas.contract.ts`. */
export const AREA_SERVERS: readonly AreaServer[] = [
  kitServer,
  // Screens only.
  defineAreaServer({ area: shellArea, handlers: [] }),
  accessAndPeopleServer,
  catalogueServer,
  termsServer,
  schedulingServer,
  peopleServer,
  studentsServer,
  offeringsServer,
  registrationServer,
  settingsServer,
  gradingServer,
  oneRosterServer,
  reportsServer,
]
