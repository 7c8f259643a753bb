-- People may also come through an identity provider of the whole installation.
alter table sessions drop constraint sessions_method_check,
  add constraint sessions_method_check check (method in ('code', 'invite', 'saml', 'oidc'));
