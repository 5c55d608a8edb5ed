package nodepool.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PublicYamlTest {

    @Test
    void names_and_sizes_are_shown_and_everything_else_is_masked() {
        assertEquals("""
                # ***
                labels:
                  - name: noble
                    min-ready: 2
                providers:
                  - name: rax
                    driver: openstack
                    rate: 0.5
                    hook: ***
                    host-key-checking: False
                    pools:
                    - name: main
                      networks:
                        - public
                        - ***
                      labels:
                        - name: noble
                          userdata: ***
                            ***
                            ***
                          instance-properties:
                            token: ***
                diskimages:
                  - name: noble
                    elements: ***
                    formats:
                    - qcow2
                    env-vars:
                      name: noble
                      ADMIN: ***
                    passwords:
                      - ***
                """, PublicYaml.of("""
                        # canary-1
                        labels:
                          - name: noble
                            min-ready: 2
                        providers:
                          - name: rax
                            driver: openstack
                            rate: 0.5
                            hook: /bin/x --token canary-2
                            host-key-checking: False
                            pools:
                            - name: main
                              networks:
                                - public
                                - "https://user:canary-3@host/"
                              labels:
                                - name: noble
                                  userdata: |
                                    canary-4
                                    password canary-5
                                  instance-properties:
                                    token: canary-6
                        diskimages:
                          - name: noble
                            elements: [a, canary-7]
                            formats:
                            - qcow2
                            env-vars:
                              name: noble
                              ADMIN: canary-8
                            passwords:
                              - canary-9
                        """));
    }
}
