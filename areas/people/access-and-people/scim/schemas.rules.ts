/** What the service says of itself (RFC 7643, 5 to 7). Data only. */
import { BULK_MAX } from './bulk.rules.ts'
import { GROUP, USER, kindName } from './resource.rules.ts'

export const SERVICE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'
const TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const supported = (is: boolean) => ({ supported: is })

export const SERVICE = {
  schemas: [SERVICE_SCHEMA],
  patch: supported(true),
  bulk: { ...supported(true), maxOperations: BULK_MAX.operations, maxPayloadSize: BULK_MAX.payload },
  filter: { ...supported(true), maxResults: 200 },
  changePassword: supported(false),
  sort: supported(true),
  etag: supported(true),
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token that an administrator makes for one directory',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig' },
}

const attribute = (name: string, more: Readonly<Record<string, unknown>> = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})
const complex = (name: string, subAttributes: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  attribute(name, { type: 'complex', subAttributes, ...more })

const readOnly = { mutability: 'readOnly' }
const flag = (name: string, more: Readonly<Record<string, unknown>> = {}) =>
  attribute(name, { type: 'boolean', ...more })
const supports = (name: string, more: readonly unknown[] = []) =>
  complex(name, [flag('supported', readOnly), ...more], { ...readOnly, required: true })
const whole = (name: string) => attribute(name, { type: 'integer', ...readOnly })

/** What an attribute of a schema is described by; attributes of a complex one are described alike. */
const described = (more: readonly unknown[] = []): readonly unknown[] => [
  attribute('name', { ...readOnly, required: true, caseExact: true }),
  attribute('type', {
    ...readOnly,
    required: true,
    canonicalValues: ['string', 'complex', 'boolean', 'decimal', 'integer', 'dateTime', 'reference'],
  }),
  flag('multiValued', { ...readOnly, required: true }),
  attribute('description', readOnly),
  flag('required', readOnly),
  attribute('canonicalValues', { ...readOnly, multiValued: true, caseExact: true }),
  flag('caseExact', readOnly),
  attribute('mutability', {
    ...readOnly,
    caseExact: true,
    canonicalValues: ['readOnly', 'readWrite', 'immutable', 'writeOnly'],
  }),
  attribute('returned', { ...readOnly, caseExact: true, canonicalValues: ['always', 'never', 'default', 'request'] }),
  attribute('uniqueness', { ...readOnly, caseExact: true, canonicalValues: ['none', 'server', 'global'] }),
  attribute('referenceTypes', { ...readOnly, multiValued: true, caseExact: true }),
  ...more,
]

const schema = (id: string, name: string, description: string, attributes: readonly unknown[]) => ({
  schemas: [SCHEMA],
  id,
  name,
  description,
  attributes,
  meta: { resourceType: 'Schema' },
})

/** The schemas of a directory that keeps accounts of these kinds. They say what the service does, and nothing that it does not. */
export const schemasFor = (kinds: readonly number[]) => [
  schema(USER, 'User', 'Somebody with an account', [
    attribute('userName', { required: true, uniqueness: 'server' }),
    complex('name', [attribute('formatted'), attribute('givenName'), attribute('familyName')]),
    attribute('displayName'),
    // Without it an account is active; it cannot be taken away.
    flag('active', { required: true }),
    // Without it an account is of the first kind.
    attribute('userType', { required: true, mutability: 'immutable', canonicalValues: kinds.map(kindName) }),
    // One address, with which people sign in.
    complex(
      'emails',
      [
        attribute('value', { required: true, uniqueness: 'server' }),
        attribute('type', { ...readOnly, canonicalValues: ['work'] }),
        flag('primary', readOnly),
      ],
      { multiValued: true, required: true },
    ),
    complex('groups', [attribute('value', readOnly), attribute('display', readOnly)], {
      multiValued: true,
      ...readOnly,
    }),
  ]),
  schema(GROUP, 'Group', 'People whom a directory names together', [
    attribute('displayName', { required: true, uniqueness: 'server' }),
    complex(
      'members',
      [
        attribute('value', { mutability: 'immutable' }),
        attribute('$ref', { type: 'reference', referenceTypes: ['User'], mutability: 'immutable', caseExact: true }),
        attribute('type', { ...readOnly, canonicalValues: ['User'] }),
        attribute('display', readOnly),
      ],
      { multiValued: true },
    ),
  ]),
  schema(SERVICE_SCHEMA, 'ServiceProviderConfig', 'What this service does (RFC 7643, 5)', [
    attribute('documentationUri', { type: 'reference', referenceTypes: ['external'], ...readOnly }),
    supports('patch'),
    supports('bulk', [whole('maxOperations'), whole('maxPayloadSize')]),
    supports('filter', [whole('maxResults')]),
    supports('changePassword'),
    supports('sort'),
    supports('etag'),
    complex(
      'authenticationSchemes',
      [
        attribute('type', { ...readOnly, required: true }),
        attribute('name', { ...readOnly, required: true }),
        attribute('description', { ...readOnly, required: true }),
        flag('primary', readOnly),
      ],
      { multiValued: true, required: true, ...readOnly },
    ),
  ]),
  schema(TYPE, 'ResourceType', 'What kinds of records there are (RFC 7643, 6)', [
    attribute('id', readOnly),
    attribute('name', { ...readOnly, required: true }),
    attribute('description', readOnly),
    attribute('endpoint', { type: 'reference', referenceTypes: ['uri'], ...readOnly, required: true }),
    attribute('schema', { type: 'reference', referenceTypes: ['uri'], ...readOnly, required: true, caseExact: true }),
  ]),
  schema(SCHEMA, 'Schema', 'How a record is described (RFC 7643, 7)', [
    attribute('id', { ...readOnly, required: true }),
    attribute('name', { ...readOnly, required: true }),
    attribute('description', readOnly),
    complex('attributes', described([complex('subAttributes', described(), { multiValued: true, ...readOnly })]), {
      multiValued: true,
      required: true,
      ...readOnly,
    }),
  ]),
]

export const RESOURCE_TYPES = [
  {
    schemas: [TYPE],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    schema: USER,
    meta: { resourceType: 'ResourceType' },
  },
  {
    schemas: [TYPE],
    id: 'Group',
    name: 'Group',
    endpoint: '/Groups',
    schema: GROUP,
    meta: { resourceType: 'ResourceType' },
  },
]
