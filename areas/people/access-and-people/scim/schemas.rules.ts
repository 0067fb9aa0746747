/** What the service says of itself (RFC 7643, 5 to 7). Data only. */
import { BULK_MAX } from './bulk.rules.ts'
import { GROUP, USER } from './resource.rules.ts'

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'
const TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const supported = (is: boolean) => ({ supported: is })

export const SERVICE = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
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

export const SCHEMAS = [
  {
    schemas: [SCHEMA],
    id: USER,
    name: 'User',
    description: 'Somebody with an account',
    attributes: [
      attribute('userName', { required: true, uniqueness: 'server' }),
      complex('name', [attribute('formatted'), attribute('givenName'), attribute('familyName')]),
      attribute('displayName'),
      attribute('active', { type: 'boolean' }),
      attribute('userType', { mutability: 'immutable', canonicalValues: ['instructor', 'employee', 'student'] }),
      complex('emails', [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })], {
        multiValued: true,
      }),
      complex(
        'groups',
        [attribute('value', { mutability: 'readOnly' }), attribute('display', { mutability: 'readOnly' })],
        {
          multiValued: true,
          mutability: 'readOnly',
        },
      ),
    ],
    meta: { resourceType: 'Schema' },
  },
  {
    schemas: [SCHEMA],
    id: GROUP,
    name: 'Group',
    description: 'People whom a directory names together',
    attributes: [
      attribute('displayName', { required: true, uniqueness: 'server' }),
      complex(
        'members',
        [attribute('value', { mutability: 'immutable' }), attribute('display', { mutability: 'readOnly' })],
        {
          multiValued: true,
        },
      ),
    ],
    meta: { resourceType: 'Schema' },
  },
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
