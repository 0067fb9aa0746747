import { z } from 'zod'
import { call } from '#kit/contract/index.ts'

const attribute = z.string().trim().min(1).max(300).nullable()
const mapping = z.object({ identity: attribute, email: attribute, code: attribute })

/** What is set up of SAML here, and what came of who signed in while somebody watched. */
const setup = z.object({
  data: z.object({
    /** Null: SAML is not set up in the installation. */
    own: z.object({ entity_id: z.string(), metadata: z.string(), consumer: z.string() }).nullable(),
    provider: z
      .object({
        entity_id: z.string(),
        url: z.string(),
        certificates: z.array(z.object({ fingerprint: z.string(), until: z.string() })),
      })
      .nullable(),
    /** Why the metadata of the provider cannot be used. */
    trouble: z.string().nullable(),
    trusts: z.object({ email: z.boolean(), code: z.boolean(), domains: z.array(z.string()), unasked: z.boolean() }),
    mapping: mapping.extend({ version: z.int() }),
    watched_until: z.string().nullable(),
    samples: z.array(
      z.object({
        at: z.string(),
        nameId: z.string().nullable(),
        nameIdFormat: z.string().nullable(),
        attributes: z.record(z.string(), z.array(z.string())),
      }),
    ),
  }),
})

export const samlCalls = {
  samlSetup: call('GET', '/single-sign-on/saml', {
    permission: 'set_single_sign_on',
    summary: ['How single sign-on by SAML is set up', 'إعداد الدخول الموحد عبر SAML'],
    response: setup,
  }),
  mapSaml: call('PUT', '/single-sign-on/saml', {
    permission: 'set_single_sign_on',
    confirm: 'password',
    summary: ['Say which attribute of the provider tells what', 'تحديد دلالة خصائص مزود الهوية'],
    body: mapping.strict().extend({ version: z.int() }),
    response: setup,
    example: { identity: null, email: 'urn:oid:0.9.2342.19200300.100.1.3', code: null, version: 0 },
  }),
  /** Attributes of who signs in are kept from now on, for a while. */
  watchSaml: call('POST', '/single-sign-on/saml/watch', {
    permission: 'set_single_sign_on',
    confirm: 'password',
    summary: ['Show the attributes of the next sign-ins', 'عرض خصائص عمليات الدخول التالية'],
    response: setup,
  }),
}
