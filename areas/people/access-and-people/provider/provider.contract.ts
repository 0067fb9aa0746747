import { z } from 'zod'
import { call, id } from '#kit/contract/index.ts'
import { firstStep } from '../sign-in/sign-in.contract.ts'

const address = z.object({ data: z.object({ url: z.string() }) })
const text = z.string().min(1).max(4000)

/** By which protocol; unless told the first that is set up. */
const by = z.enum(['oidc', 'saml'])
const asked = z.object({ by: by.optional() })

/** Single sign-on by OpenID Connect or SAML. The first two calls keep their names, whichever the provider. */
export const providerCalls = {
  providerAddress: call('GET', '/get-ms-login-url', {
    permission: 'public',
    inMaintenance: true,
    summary: ['Address at which the provider signs somebody in', 'عنوان الدخول الموحد لدى مزود الهوية'],
    query: asked,
    response: address,
  }),
  /** What the provider sent the browser back with. */
  providerReturn: call('POST', '/ms-login/callback', {
    permission: 'public',
    inMaintenance: true,
    summary: ['Finish signing in by the provider', 'إتمام الدخول الموحد بعد العودة من مزود الهوية'],
    body: z.strictObject({
      code: text.optional(),
      state: text,
      session_state: text.optional(),
      iss: text.optional(),
      error: text.optional(),
      error_description: text.optional(),
    }),
    /** `linked`: the identity belongs to the own account from now on; who came back was signed in already. */
    response: z.union([firstStep, z.object({ data: z.object({ linked: z.literal(true) }) })]),
    reads: true,
    example: { code: 'from-the-provider', state: 'from-the-provider' },
  }),
  identities: call('GET', '/users/identities', {
    permission: 'signed_in',
    personal: true,
    summary: ['Identities of single sign-on linked to my account', 'هويات الدخول الموحد المرتبطة بحسابي'],
    response: z.object({
      data: z.array(
        z.object({
          id,
          issuer: z.string(),
          email: z.string().nullable(),
          created_at: z.string(),
          last_used_at: z.string().nullable(),
        }),
      ),
      /** Ways of single sign-on that are set up, with nothing of their providers linked yet. */
      meta: z.object({ can_link: z.boolean(), by: z.array(by) }),
    }),
  }),
  linkIdentity: call('POST', '/users/identities/link', {
    permission: 'signed_in',
    personal: true,
    confirm: 'second factor',
    summary: ['Begin to link an identity to my account', 'بدء ربط هوية بحسابي'],
    query: asked,
    response: address,
  }),
  unlinkIdentity: call('DELETE', '/users/identities/{id}', {
    permission: 'signed_in',
    personal: true,
    confirm: 'second factor',
    summary: ['Take an identity off my account', 'فك ربط هوية بحسابي'],
    response: z.object({ id }),
  }),
}
