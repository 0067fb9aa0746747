import { defineAreaServer } from '#kit/server/http/area.ts'
import { accessAndPeople } from './access-and-people.contract.ts'
import { delegationHandlers } from './delegations/delegation.server.ts'
import { ownRecordHandlers } from './own-records/own-records.server.ts'
import { passkeyHandlers } from './passkeys/passkey.server.ts'
import { providerHandlers } from './provider/provider.server.ts'
import { directoryHandlers } from './scim/directories.server.ts'
import { scimProtocol } from './scim/scim.server.ts'
import { secondFactorHandlers } from './second-factor/second-factor.server.ts'
import { lookerHandlers } from './lookers/lookers.server.ts'
import { reviewHandlers, reviewWork, tellReviews } from './reviews/review.server.ts'
import { rightsHandlers } from './rights/rights.server.ts'
import { roleHandlers } from './roles/role.server.ts'
import { signInAccountHandlers } from './sign-in/account.server.ts'
import { inviteHandlers } from './sign-in/invite.server.ts'
import { passwordHandlers, sendPasswordLink, tellPasswordChanged } from './sign-in/passwords.server.ts'
import { signInHandlers, tellNewSignIn } from './sign-in/sign-in.server.ts'
import { samlHandlers } from './saml/setup.server.ts'
import { samlProtocol } from './saml/way.server.ts'
import { photoHandlers } from './users/photo.server.ts'
import { userHandlers } from './users/user.server.ts'
import { accessAndPeopleTold } from './access-and-people.told.contract.ts'

export const accessAndPeopleServer = defineAreaServer({
  area: accessAndPeople,
  told: accessAndPeopleTold,
  handlers: [
    signInHandlers,
    signInAccountHandlers,
    ownRecordHandlers,
    inviteHandlers,
    passwordHandlers,
    secondFactorHandlers,
    passkeyHandlers,
    providerHandlers,
    samlHandlers,
    directoryHandlers,
    delegationHandlers,
    userHandlers,
    photoHandlers,
    rightsHandlers,
    roleHandlers,
    reviewHandlers,
    lookerHandlers,
  ],
  jobs: [sendPasswordLink, tellPasswordChanged, tellNewSignIn, tellReviews],
  work: reviewWork,
  protocols: [samlProtocol, scimProtocol],
})
