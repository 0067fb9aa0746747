import { defineAreaServer } from '#kit/server/http/area.ts'
import { contractWork, contractsJob } from './employees/contracts.server.ts'
import { employeeLookup, employees } from './employees/employee.server.ts'
import { guestHandlers } from './guests/guest.server.ts'
import { instructors } from './instructors/instructor.server.ts'
import { loadHandlers } from './load/load.server.ts'
import { nameHandlers } from './names/names.server.ts'
import { personRecordHandlers } from './records/records.server.ts'
import { peopleArea } from './people.contract.ts'
import { peopleTold } from './people.told.contract.ts'

export const peopleServer = defineAreaServer({
  area: peopleArea,
  told: peopleTold,
  handlers: [instructors.handlers, employees.handlers, guestHandlers, loadHandlers, nameHandlers, personRecordHandlers],
  lookups: [employeeLookup],
  jobs: [contractsJob],
  work: contractWork,
})
