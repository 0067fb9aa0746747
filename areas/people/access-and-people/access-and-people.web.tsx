import { rightsOfPerson, signInOfPerson } from '#areas/people/people/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'access-and-people',
  fills: [
    fill(rightsOfPerson, async () => (await import('./rights/of-person.web.tsx')).RightsOf),
    fill(signInOfPerson, async () => (await import('./sign-in/of-person.web.tsx')).SignInOf),
  ],
  screens: {
    '/users/:id': () => import('./users/page.web.tsx'),
    '/profile/delegations': () => import('./delegations/delegations.web.tsx'),
    '/profile/sign-in': () => import('./second-factor/own.web.tsx'),
    '/settings/second-factor': () => import('./second-factor/roles.web.tsx'),
    '/settings/saml': () => import('./saml/saml.web.tsx'),
    '/settings/directories': () => import('./scim/directories.web.tsx'),
    '/users/access/:id': () => import('./rights/access.web.tsx'),
    '/settings/user/role/:id': () => import('./rights/access.web.tsx'),
    '/settings/rights': () => import('./rights/rights.web.tsx'),
    '/settings/rights/reviews': () => import('./reviews/reviews.web.tsx'),
    '/settings/rights/reviews/:id': () => import('./reviews/review.web.tsx'),
    '/profile/lookers': () => import('./lookers/lookers.web.tsx'),
  },
  resources: {
    user: () => import('./users/user.web.tsx'),
    role: () => import('./roles/role.web.tsx'),
  },
})
