import { defineAreaServer } from '#kit/server/area.ts'
import { accessAndPeople } from './access-and-people.contract.ts'
import { sendPasswordLink, signInHandlers, tellPasswordChanged } from './sign-in/sign-in.server.ts'

export const accessAndPeopleServer = defineAreaServer({
  area: accessAndPeople,
  handlers: [signInHandlers],
  jobs: [sendPasswordLink, tellPasswordChanged],
})
