-- Requests to a provider are signed where it asks for that.
alter table saml_providers add column sign_requests boolean not null default false;

-- Keys of ours, each known to one provider by its certificate: the first signs requests, and each opens what the provider
-- encrypts for it. There are two while one takes the place of the other.
create table saml_keys (
  organization_id uuid not null,
  provider_id uuid not null,
  id uuid not null,
  certificate text not null check (length(certificate) between 1 and 10000),
  private_key_sealed bytea not null,
  -- Of the certificate.
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, provider_id, id),
  foreign key (organization_id, provider_id) references saml_providers (organization_id, id) on delete cascade
);
