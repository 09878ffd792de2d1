/** Hashes that other programs made, with their passwords. */
export const FOREIGN_HASHES: ReadonlyArray<readonly [by: string, password: string, hash: string]> = [
  ['bcrypt, Openwall', 'U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['PBKDF2, passlib', 'toomanysecrets', '$pbkdf2-sha256$29000$N2YMIWQsBWBMae09x1jrPQ$1t8iyB2A.WF/Z5JZv.lfCIhXXN33N23OSgQYThBYRfk'],
  ['PBKDF2, RFC 6070', 'password', '$pbkdf2-sha1$i=4096$c2FsdA$SwB5AbdlSJq+rUnZJvch0GWkKcE'],
  ['PBKDF2, Keycloak', 'password', '$pbkdf2-sha256$i=27500$P5rtFkGtPfoaryJ6PizUJw$JsfNbCOIdZUbyBJ+BT+VoGI91Ec2rWLOvkLPDaX8e9k'],
  ['scrypt, RFC 7914', 'password',
    '$scrypt$ln=10,r=8,p=16$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA'],
  ['argon2i, phc-winner-argon2', 'password', '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA'],
  ['argon2id, Keycloak', 'secret', '$argon2id$v=19$m=7168,t=5,p=1$LRScGShC7shkdoU5B1UgUQ$xKjWvB9+0sSP6wTqI1JoEI7w+iA0x9VDhPgmrOHRG80']
]

/** A bcrypt hash of `correct horse` with the lowest cost. */
export const CHEAP_HASH = '$2b$04$JNEcs5mlxDUwzJLS.quUMOJJOZv9aYFKlG4hWFnyXC07YPeSBbDuW'
